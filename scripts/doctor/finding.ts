export interface Finding {
  readonly kind: 'well' | 'wrong' | 'told';
  readonly sentence: string;
  readonly why?: string;
  /** True if the service itself answers under this name. */
  readonly isService?: true;
}

export const well = (sentence: string): Finding => ({ kind: 'well', sentence });
export const told = (sentence: string): Finding => ({ kind: 'told', sentence });
export const wrong = (sentence: string, why?: string): Finding => ({
  kind: 'wrong',
  sentence,
  ...(why !== undefined && { why }),
});
