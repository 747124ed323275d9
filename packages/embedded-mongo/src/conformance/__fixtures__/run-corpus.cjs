// Runs the built corpus against the server at a given address and prints its outcomes as JSON.
const { runConformanceCorpus } = require('@tollgate/embedded-mongo/conformance');
const mongoose = require('mongoose');

const [uri] = process.argv.slice(2);
const DATABASE = 'tollgate_conformance';

async function main() {
  const connection = await mongoose
    .createConnection(uri, {
      serverSelectionTimeoutMS: 5_000,
      writeConcern: { w: 'majority', j: true },
      readConcern: { level: 'majority' },
    })
    .asPromise();
  const { db } = connection.useDb(DATABASE);
  const typed = { promoteValues: false, promoteLongs: false };
  const outcomes = await runConformanceCorpus((command) => db.command({ ...command }, typed));
  await db.dropDatabase();
  await connection.close();
  process.stdout.write(JSON.stringify(outcomes));
}

main();
