// Opens the built store in a thread, inserts one document and says how many there were before.
const { createStoreThread } = require('@tollgate/embedded-mongo');
const mongoose = require('mongoose');

const [dataPath, socketPath] = process.argv.slice(2);

async function main() {
  const store = await createStoreThread().open({
    dataPath,
    listen: { socketPath },
    onFatal(error) {
      throw error;
    },
  });
  const connection = await mongoose.createConnection(store.uri).asPromise();
  const things = connection.collection('things');
  process.stdout.write(String(await things.countDocuments({})));
  await things.insertOne({ at: 1 });
  await connection.close();
  await store.close();
}

main();
