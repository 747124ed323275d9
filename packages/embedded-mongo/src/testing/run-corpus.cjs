// Runs the built corpus against the server at a given address and prints its outcomes as JSON.
const { runConformanceCorpus } = require('../../dist/conformance');
const mongoose = require('mongoose');

const [uri] = process.argv.slice(2);

async function main() {
  const connection = await mongoose
    .createConnection(uri, {
      serverSelectionTimeoutMS: 5_000,
      writeConcern: { w: 'majority', j: true },
      readConcern: { level: 'majority' },
    })
    .asPromise();
  const typed = { promoteValues: false, promoteLongs: false };
  const databases = new Map();
  const outcomes = await runConformanceCorpus(async (name, command) => {
    if (!databases.has(name)) {
      const { db } = connection.useDb(name);
      // What an earlier run that was killed left behind.
      await db.dropDatabase();
      databases.set(name, db);
    }
    return databases.get(name).command({ ...command }, typed);
  });
  for (const db of databases.values()) await db.dropDatabase();
  await connection.close();
  process.stdout.write(JSON.stringify(outcomes));
}

main();
