"use strict";
// Unpacks what a page holds deflated, in base64.
async function inflated(element) {
  const text = atob(element.textContent.trim()), bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k += 1) {
    bytes[k] = text.charCodeAt(k);
  }
  const packed = new Blob([bytes]).stream();
  return new Response(packed.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

// Arrays of numbers, from a place on: each of 16 bits, as differences, low bytes first.
function numbersOf(table, buffer, begin) {
  const bytes = new Uint8Array(buffer, begin), none = 65535;
  let at = 0;
  return table.map(([count, low, high]) => {
    const values = new Float64Array(count), step = (high - low) / (none - 1);
    for (let k = 0, sum = 0; k < count; k += 1) {
      sum = (sum + bytes[at + k] + 256 * bytes[at + count + k]) & none;
      values[k] = sum === none ? NaN : low + sum * step;
    }
    at += 2 * count;
    return values;
  });
}
