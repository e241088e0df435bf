// Makes static/vendor/codemirror.js of the packages in node_modules, and LICENSE of their licences. See bundle.sh.
import {readFile, writeFile} from "node:fs/promises";
import {build} from "esbuild";

const [into] = process.argv.slice(2);
const {metafile, outputFiles: [bundle]} = await build({
  entryPoints: ["entry.js"], bundle: true, format: "esm", minify: true, target: "es2022", legalComments: "none", metafile: true, write: false,
});
const [output] = Object.values(metafile.outputs);
const folders = new Set(Object.keys(output.inputs).map(file => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean));
const packages = await Promise.all([...folders].sort().map(async folder => {
  const {name, version, license} = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
  return {title: `${name} ${version} (${license})`, text: await readFile(`${folder}/LICENSE`, "utf8")};
}));
// Most have the same licence.
const licences = new Map();
for (const p of packages) licences.set(p.text.trim(), [...(licences.get(p.text.trim()) ?? []), p]);
await writeFile(`${into}/LICENSE`, [...licences].map(([text, of]) => of.map(p => p.title).join("\n") + "\n\n" + text + "\n").join("\n---\n\n"));
await writeFile(`${into}/codemirror.js`, `/* ${packages.map(p => p.title).join(", ")}: see LICENSE. Made by hack/vendored/codemirror/bundle.sh. */\n` + bundle.text);
