/** The Node version that everything runs on, and the oldest whose npm can install it into this folder. */
export const NODE_MAJOR = 24;
const BRINGING_MAJOR = 20;

/**
 * The minimum version to report if this Node can neither run the project nor install the one that does; `null`
 * otherwise. Checked before the installation, since npm itself fails after minutes with its own message.
 */
export function missingNode({ versions, platform, arch, report }) {
  const major = Number.parseInt(versions.node, 10);
  if (major >= NODE_MAJOR) return null;
  const isBrought =
    platform === 'linux' &&
    ['x64', 'arm64'].includes(arch) &&
    report.getReport().header.glibcVersionRuntime !== undefined;
  if (isBrought && major >= BRINGING_MAJOR) return null;
  return isBrought ? BRINGING_MAJOR : NODE_MAJOR;
}
