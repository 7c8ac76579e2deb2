import { parseArgs } from 'node:util';

/** The options of `curl` that the page on the API uses, by Node's HTTP client: `node curl.ts [OPTIONS] URL`. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', short: 'd' },
    head: { type: 'boolean' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    include: { type: 'boolean', short: 'i' },
    request: { type: 'string', short: 'X' },
  },
});
const [url = ''] = positionals;
const response = await fetch(url, {
  method: values.request ?? (values.head ? 'HEAD' : 'GET'),
  headers: values.header.map((header): [string, string] => {
    const [name = '', ...value] = header.split(': ');
    return [name, value.join(': ')];
  }),
  body: values.data ?? null,
});
if (values.head || values.include)
  process.stdout.write(
    [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('') + '\r\n',
  );
process.stdout.write(await response.text());
