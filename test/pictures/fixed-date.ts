import { INSTANT } from './instant.ts';

const RealDate = Date;
const begun = RealDate.now();
const now = (): number => INSTANT + RealDate.now() - begun;

/** Preloaded by the demonstration: its service's clock starts at the instant of the pictures. */
class ShiftedDate extends RealDate {
  constructor(...values: [] | [year: number, month: number]) {
    if (values.length === 0) super(now());
    else super(...values);
  }

  static override now(): number {
    return now();
  }
}
Reflect.set(globalThis, 'Date', ShiftedDate);
