export interface Finding {
  readonly kind: 'well' | 'wrong' | 'note';
  readonly sentence: string;
  readonly why?: string;
  /** True if the service itself answers under this name. */
  readonly isService?: true;
}

export const well = (sentence: string): Finding => ({ kind: 'well', sentence });
export const note = (sentence: string): Finding => ({ kind: 'note', sentence });
export const wrong = (sentence: string, why?: string): Finding => ({
  kind: 'wrong',
  sentence,
  ...(why !== undefined && { why }),
});
