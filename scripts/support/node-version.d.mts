/** The part of `process` that is used. */
interface Machine {
  readonly versions: { readonly node: string };
  readonly platform: string;
  readonly arch: string;
  readonly report: { getReport: () => object };
}

export const NODE_MAJOR: number;
export function missingNode(machine: Machine): number | null;
