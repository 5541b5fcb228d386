// Prints what d3-hierarchy needs for the tree that Speed wrote, in milliseconds of CPU time:
// flat, and nested with headers of 19 and margins of 3 and 2 pixels. Usage: node peer.js FILE
"use strict";
const fs = require("fs");
const d3 = require("d3-hierarchy");

const nodes = fs.readFileSync(process.argv[2], "utf8").split("\n").map((line) => {
  const [count, size] = line.split(" ").map(Number);
  return count > 0 ? { count, children: [] } : { count, size };
});
let next = 1;
for (const node of nodes) {
  for (let child = 0; child < node.count; child++) node.children.push(nodes[next++]);
}

function measure(name, treemap) {
  const times = [];
  for (let round = 0; round < 5; round++) {
    const start = process.cpuUsage();
    const root = d3.hierarchy(nodes[0]).sum((d) => d.size || 0).sort((a, b) => b.value - a.value);
    treemap(root);
    const used = process.cpuUsage(start);
    times.push((used.user + used.system) / 1000);
  }
  times.sort((a, b) => a - b);
  console.log(name, times[2].toFixed(1));
}

const squarify = d3.treemapSquarify.ratio(1);
measure("flat", d3.treemap().size([1600, 1000]).tile(squarify));
measure(
  "nested",
  d3.treemap().size([1600, 1000]).tile(squarify).paddingInner(2).paddingOuter(3).paddingTop(19),
);
