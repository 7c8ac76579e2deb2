import { normaliser } from './text.ts';

/** A name behind « De », elided before a vowel and an H: « De Victor Hugo », « D’Elena Ferrante », « D’Hergé ». */
export const withDe = (nom: string): string =>
  /^(?:[aeiouy]|h)/u.test(normaliser(nom)) ? `D’${nom}` : `De ${nom}`;

/** The same within a sentence: « de Victor Hugo », « d’Elena Ferrante ». */
export const deNom = (nom: string): string => `d${withDe(nom).slice(1)}`;
