/** The version that everything runs on, and the oldest whose npm brings it to this folder. */
export const NODE_MAJOR = 24;
const BRINGING_MAJOR = 20;

/**
 * The least version that is needed where there is no Node that could run the project, or fetch the one that does: asked
 * before anything is installed, because npm itself ends after minutes and in words of its own. `null` where there is one.
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
