// The entry of `npm start`, `npm test` and the other root scripts. Runs on Node 18 and later with
// nothing installed: only built-in modules are used here and in bootstrap/.
const { main } = require('./bootstrap/main.cjs');

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.stderr.write(`tollgate: ${error.expected ? error.message : error.stack}\n`);
    process.exitCode = 1;
  },
);
