/** Imported first: on an older Node the server ends with one line instead of a syntax error. */
const [major = 0] = process.versions.node.split('.').map(Number);

if (major < 24) {
  process.stderr.write(
    `Rayonnage demande Node 24 ou plus récent ; celui-ci est ${process.version}.\n`,
  );
  process.exit(1);
}
