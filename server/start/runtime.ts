/** Imported first by service and commands: on an older Node they end with a sentence instead of a syntax error. */
const [major = 0] = process.versions.node.split('.').map(Number);

if (major < 24) {
  process.stderr.write(
    `Rayonnage demande Node 24 ou plus récent ; celui-ci est ${process.version}. https://nodejs.org/en/download en a un, que NODE nomme : NODE=/opt/node/bin/node.\n`,
  );
  process.exit(1);
}

// Files are for their own account alone: what everyone reads is in them.
process.umask(0o077);
