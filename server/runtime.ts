/** Stops whoever starts the server on a Node that it does not run on, before anything else loads. */
const [major = 0] = process.versions.node.split('.').map(Number);

if (major < 24) {
  process.stderr.write(
    `Rayonnage demande Node 24 ou plus récent ; celui-ci est ${process.version}.\n`,
  );
  process.exit(1);
}
