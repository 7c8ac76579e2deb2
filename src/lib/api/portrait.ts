import { lirePortrait } from '#shared/portraits';
import { addressOf } from './call.ts';

/** The address of a face's picture. */
export const portraitAddress = (cle: string): string =>
  addressOf(lirePortrait, { params: { cle } });
