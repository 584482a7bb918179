// Draws the charts of a page out of their data, and lets one hover, zoom, and take them away. Each
// file has one part of it; they are together here, apart from the names of other scripts.
(() => {
{% include "charts/looks.js" %}

{% include "charts/unpack.js" %}

{% include "charts/axes.js" %}

{% include "charts/marks.js" %}

{% include "charts/panel.js" %}

{% include "charts/values.js" %}

{% include "charts/saving.js" %}

{% include "charts/input.js" %}

{% include "charts/chart.js" %}

{% include "charts/start.js" %}

start();
})();
