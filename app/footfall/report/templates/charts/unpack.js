// Descriptions of charts and their numbers, as the page has them packed.
function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const found = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  found.arrays = numbersOf(found.arrays, buffer, 4 + length);
  for (const chart of found.charts) {
    for (const panel of chart.panels) {
      for (const mark of panel.marks) {
        for (const axis of ["x", "y"]) {
          const share = mark.shares[axis === "x" ? 0 : 1], values = found.arrays[mark[axis]];
          mark[axis] = panel[axis].log && !share ? values.map((value) => 10 ** value) : values;
        }
      }
    }
  }
  return found.charts;
}
