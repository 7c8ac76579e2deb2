/** Imported first, by the service and by the commands that write beside it: on an older Node the server ends with one line instead of a syntax error. */
const [major = 0] = process.versions.node.split('.').map(Number);

if (major < 24) {
  process.stderr.write(
    `Rayonnage demande Node 24 ou plus récent ; celui-ci est ${process.version}. https://nodejs.org/en/download en a un, que NODE nomme : NODE=/opt/node/bin/node.\n`,
  );
  process.exit(1);
}

// Everyone's reading is in what they write, whatever the rights that files have by default: it is their own account's.
process.umask(0o077);
