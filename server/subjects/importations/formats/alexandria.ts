import { isUtf8 } from 'node:buffer';
import { isMap, isScalar, parseDocument } from 'yaml';
import { shortened } from '#shared/text';
import { raison, type Raison } from '#server/plumbing/common/raisons';
import { coversLeft, namingOf, RecordBuilder, type ReadList } from './record-builder.ts';

// The folder of Alexandria, zipped: a YAML file a book (docs/rules.md § 35).

export interface BookFile {
  /** The path in the zip. */
  readonly name: string;
  readonly text: string;
}

/** Limit for YAML aliases: thousands of them expand a few lines to gigabytes. */
const MAX_ALIASES = 20;

/** `redd` is read, `edition` the binding: as the program names them. */
// cspell:disable-next-line
const READ = new Set(['title', 'isbn', 'edition', 'rating', 'redd', 'redd_when', 'own', 'want']);
for (const name of ['loaned', 'loaned_since', 'loaned_to', 'saved_ident', 'version', 'library'])
  READ.add(name);

const NAMES = namingOf({
  authors: 'auteurs',
  publisher: 'editeur',
  publishing_year: 'annee',
  notes: { detail: 'Note' },
  tags: 'themes',
});

/**
 * Reads each book's YAML; an invalid file is reported and skipped.
 *
 * @param covers the keys of the pictures by their names in the zip
 */
export function readAlexandria(
  files: readonly BookFile[],
  covers: ReadonlyMap<string, string>,
): ReadList {
  const avertissements: Raison[] = [];
  return {
    format: 'alexandria',
    programme: 'Alexandria',
    records: recordsOf(files, covers, avertissements),
    avertissements,
  };
}

/** @param avertissements receives the warnings about all records, after the last one */
function* recordsOf(
  files: readonly BookFile[],
  covers: ReadonlyMap<string, string>,
  avertissements: Raison[],
): Generator<RecordBuilder> {
  for (const { name, text } of files) {
    const fields = fieldsOf(text);
    if (fields === null) avertissements.push(raison('fichierNonLu', { nom: shortened(name, 60) }));
    else yield toValues(name, fields).addCover(covers.get(coverOf(name)));
  }
  const named = new Set(files.map(({ name }) => coverOf(name)));
  const left = [...covers.keys()].filter((name) => !named.has(name)).length;
  avertissements.push(...coversLeft(left));
}

/** The cover beside a book's file. */
const coverOf = (name: string): string => name.replace(/\.ya?ml$/i, '.cover');

type Fields = ReadonlyMap<string, readonly string[]>;

/** The texts of a map by name, whatever its Ruby class; `null` for anything else, and for a name that occurs twice. */
function fieldsOf(text: string): Fields | null {
  try {
    const document = parseDocument(withLetters(text), {
      // Every value is a text: « 0140328726 » is no number.
      schema: 'failsafe',
      logLevel: 'silent',
      // Each error would be shown with its line.
      prettyErrors: false,
      // The library compares each name with all others.
      uniqueKeys: false,
    });
    if (document.errors.length > 0 || hasTwins(document.contents)) return null;
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return new Map(Object.entries(value).map(([name, field]) => [name, textsOf(field)]));
  } catch {
    return null;
  }
}

function hasTwins(contents: unknown): boolean {
  if (!isMap(contents)) return false;
  const names = contents.items.map(({ key }) => (isScalar(key) ? key.value : key));
  return new Set(names).size < names.length;
}

/** The bytes of a letter as Ruby once wrote them, « \xC3\xA9 ». */
const withLetters = (text: string): string =>
  text.replace(/(?:\\x[89a-f][\da-f])+/gi, (run) => {
    const bytes = Buffer.from(run.replace(/\\x/gi, ''), 'hex');
    return isUtf8(bytes) ? bytes.toString() : run;
  });

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
    typeof one === 'string' && !/^(?:|~|null)$/i.test(one.trim()) ? [one.trim()] : [],
  );

const isTrue = (text: string): boolean => /^(?:true|yes|y|on)$/i.test(text);

const DAY_LENGTH = '2024-01-02'.length;

function toValues(name: string, fields: Fields): RecordBuilder {
  const values = new RecordBuilder();
  const first = (field: string) => fields.get(field)?.[0] ?? '';
  const [file = '', folder = ''] = name.split('/').toReversed();
  const ident = file.replace(/\.ya?ml$/i, '');
  values.add('titre', first('title'));
  values.add('isbn', first('isbn') || (/^\d{9}(?:\d{3})?[\dX]$/i.test(ident) ? ident : ''));
  const binding = first('edition');
  values.binding(binding);
  if (Number(first('rating')) > 0) values.add('note', first('rating'));
  // cspell:disable-next-line -- as the program names them
  const [isRead, readOn] = [isTrue(first('redd')), first('redd_when').slice(0, DAY_LENGTH)];
  if (isRead) values.add('statut', 'lu').add('dates', readOn.replaceAll('-', '/'));
  else values.detail('Lu le', readOn);
  if (isTrue(first('loaned')))
    values
      .add('emprunteur', first('loaned_to') || '?')
      .add('datePret', first('loaned_since').slice(0, DAY_LENGTH));
  else
    values.detail('Prêts passés', [first('loaned_to'), first('loaned_since').slice(0, DAY_LENGTH)]);
  // Both are the defaults of an unedited book.
  const isOwned = !fields.has('own') || isTrue(first('own'));
  if (!isOwned && isTrue(first('want'))) values.add('souhait', 'oui');
  else if (!isOwned) values.leave(raison('alexandriaSansLivre'));
  if (folder !== '' && !folder.startsWith('.')) values.detail('Bibliothèque', folder);
  for (const [field, texts] of fields)
    if (!READ.has(field)) {
      // An author that nobody knows is « n/a ».
      const known = field === 'authors' ? texts.filter((nom) => nom !== 'n/a') : texts;
      values.named(NAMES, field, known);
    }
  return values;
}
