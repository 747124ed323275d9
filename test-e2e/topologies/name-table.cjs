// Loaded into a process of the product before anything else: host names that stand in the file
// TEST_NAME_TABLE have the addresses that it gives them at that moment, as the name of a headless
// service has those of its ready pods. Every other name is looked up as ever.
'use strict';

const dns = require('node:dns');
const { readFileSync } = require('node:fs');

const { lookup } = dns.promises;
const table = process.env.TEST_NAME_TABLE ?? '';

dns.promises.lookup = async (name, options) => {
  const addresses = JSON.parse(readFileSync(table, 'utf8'))[name];
  if (addresses === undefined) return lookup(name, options);
  if (addresses.length === 0) {
    throw Object.assign(new Error(`${name} has no address now`), { code: 'ENOTFOUND' });
  }
  return addresses.map((address) => ({ address, family: 4 }));
};
