import { shortened } from '#shared/text';
import { readCount } from '../values.ts';
import { raison } from '#server/plumbing/common/raisons';
import type { RecordBuilder } from './record-builder.ts';

// Bibliographies (docs/rules.md § 35): only books are entered, a chapter as its book.

/** An intermediate record of any bibliographic format: its type and its people. */
interface Reference {
  readonly kind: 'book' | 'chapter' | 'other';
  /** The file's name for the type. */
  readonly type: string;
  readonly titre: string;
  /** The title of a chapter's book. */
  readonly container: string;
  readonly auteurs: readonly string[];
  /** The authors of a chapter's book, if any. */
  readonly containerAuteurs: readonly string[];
  readonly direction: readonly string[];
  readonly isbns: readonly string[];
  readonly values: RecordBuilder;
}

export function toRecord(reference: Reference): RecordBuilder {
  const { type, titre, container, auteurs, containerAuteurs, direction, isbns, values } = reference;
  const isOther = reference.kind === 'other' && isbns.length === 0;
  values.add('isbn', isbns);
  if (isOther)
    return values
      .add('titre', titre)
      .add('auteurs', auteurs)
      .refuse(raison('pasLivreMais', { genre: shortened(type, 40) }));
  if (reference.kind !== 'chapter' || (container === '' && isbns.length > 0)) {
    const isEdited = auteurs.length === 0;
    values.add('titre', titre).add('auteurs', isEdited ? direction : auteurs);
    return isEdited ? values : values.detail('Direction', direction);
  }
  const chapter = titre + (auteurs.length > 0 ? ` (${auteurs.join(', ')})` : '');
  if (container === '')
    return values.add('titre', titre).add('auteurs', auteurs).refuse(raison('chapitreSeul'));
  const own = containerAuteurs.length > 0 ? containerAuteurs : direction;
  return values
    .add('titre', container)
    .add('auteurs', own)
    .detail('Chapitre', titre === '' ? '' : chapter)
    .say(raison('chapitre', { chapitre: shortened(chapter, 100) }));
}

/** « 214 », « xii, 214 p. »: how many pages a book has, rather than which of them are meant. */
export const isPageCount = (text: string): boolean =>
  readCount(text) !== null && !/\d\s?[-–]\s?\d|^\s*pp?\./i.test(text);

export interface Creator {
  readonly name?: string;
  readonly firstName?: string;
  readonly prefix?: string;
  readonly lastName?: string;
  readonly suffix?: string;
}

export const MARKUP = /<\/?(?:b|i|u|em|strong|sub|sup|sc|tt|span|pre)(?: [^<>]*)?>/g;

/** « Jean de La Fontaine », « Jean Le Rond d’Alembert »; `''` for « and others ». */
export function nomOf({ name, firstName, prefix, lastName, suffix }: Creator): string {
  if (name !== undefined) return name;
  if (firstName === undefined && lastName === 'others') return '';
  const family =
    prefix === undefined || /['’]$/.test(prefix)
      ? `${prefix ?? ''}${lastName ?? ''}`
      : `${prefix} ${lastName ?? ''}`;
  return [firstName, family, suffix].filter(Boolean).join(' ');
}
