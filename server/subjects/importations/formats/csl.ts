import { nomOfLangue } from '#shared/langues';
import { ownValue } from '#shared/object-keys';
import { raison } from '#server/plumbing/common/raisons';
import { namingOf, RecordBuilder, tooFull, type ReadList } from './record-builder.ts';
import { MARKUP, nomOf, toRecord } from './reference.ts';

// CSL-JSON (docs/rules.md § 35)

const CSL_BOOKS = new Set(['book', 'thesis', 'classic', 'pamphlet']);
const CSL_CHAPTERS = new Set([
  'chapter',
  'entry-dictionary',
  'entry-encyclopedia',
  'paper-conference',
]);

// cspell:disable -- names of the format
const CSL_NAMES = namingOf({
  publisher: 'editeur',
  'publisher-place': { detail: 'Lieu d’édition' },
  abstract: { detail: 'Résumé' },
  note: { detail: 'Note' },
  annote: { detail: 'Note' },
  translator: { detail: 'Traduction' },
  illustrator: { detail: 'Illustration' },
  'collection-editor': { detail: 'Direction de collection' },
  'original-title': { detail: 'Titre original' },
  'original-author': { detail: 'Auteur original' },
  'original-publisher': { detail: 'Éditeur original' },
  'title-short': { detail: 'Titre abrégé' },
  edition: { detail: 'Édition' },
  genre: { detail: 'Nature' },
  dimensions: { detail: 'Dimensions' },
  medium: { detail: 'Support' },
  'call-number': { detail: 'Cote' },
  source: { detail: 'Source' },
  URL: { detail: 'Adresse' },
  DOI: { detail: 'DOI' },
  page: { detail: 'Pages citées' },
  'number-of-volumes': { detail: 'Nombre de volumes' },
});
// cspell:enable

const CSL_READ = new Set([
  'id',
  'type',
  'title',
  'container-title',
  'author',
  'container-author',
  'editor',
  'issued',
  'ISBN',
  'number-of-pages',
  'language',
  'keyword',
  'collection-title',
  'collection-number',
  'volume',
  'accessed',
  'citation-key',
  'system_id',
]);
type CslItem = Readonly<Record<string, unknown>>;

export const isCsl = (value: unknown): value is CslItem =>
  isObject(value) && typeof value['type'] === 'string' && ('id' in value || 'issued' in value);

const isObject = (value: unknown): value is CslItem =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const readCsl = (items: readonly unknown[]): ReadList => ({
  format: 'csljson',
  programme: 'CSL-JSON',
  records: recordsOf(items),
});

function* recordsOf(items: readonly unknown[]): Generator<RecordBuilder> {
  for (const item of items)
    yield isCsl(item) ? cslToRecord(item) : new RecordBuilder().refuse(raison('pasFiche'));
}

/** A date has three levels, and a name two. */
const MAX_DEPTH = 20;

/** A text, a number, persons by name, or a date by its parts, as texts. */
function cslTexts(value: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH) throw tooFull();
  if (typeof value === 'string' || typeof value === 'number')
    return [String(value).replace(MARKUP, '')];
  if (Array.isArray(value)) return value.flatMap((one) => cslTexts(one, depth + 1));
  if (!isObject(value)) return [];
  const part = (name: string) => cslTexts(ownValue(value, name), depth + 1)[0] ?? '';
  if ('date-parts' in value) return cslTexts(value['date-parts'], depth + 1);
  if ('year' in value) return cslTexts(value['year'], depth + 1);
  if (part('literal') || part('raw')) return [part('literal') || part('raw')];
  const prefix = part('non-dropping-particle') || part('dropping-particle');
  const nom = nomOf({
    firstName: part('given'),
    ...(prefix !== '' && { prefix }),
    lastName: part('family'),
    suffix: part('suffix'),
  });
  return nom === '' ? [] : [nom];
}

function cslToRecord(item: CslItem): RecordBuilder {
  const type = cslTexts(item['type'])[0] ?? '';
  const kind = CSL_BOOKS.has(type) ? 'book' : CSL_CHAPTERS.has(type) ? 'chapter' : 'other';
  const first = (name: string) => cslTexts(ownValue(item, name))[0] ?? '';
  const values = new RecordBuilder();
  values
    .add('annee', first('issued'))
    .add('nombrePages', first('number-of-pages'))
    .detail('Langue', nomOfLangue(first('language')))
    .add(
      'themes',
      cslTexts(item['keyword']).flatMap((text) => text.split(/[,;]/)),
    );
  const [serie, numero] = [
    first('collection-title'),
    first('collection-number') || first('volume'),
  ];
  if (serie !== '' && numero !== '') values.add('serie', serie).add('numero', numero);
  else values.detail('Collection', serie).detail('Volume', numero);
  for (const [name, value] of Object.entries(item))
    if (!CSL_READ.has(name)) values.named(CSL_NAMES, name, cslTexts(value));
  return toRecord({
    kind,
    type,
    values: kind === 'book' ? values.detail('Autre titre', first('container-title')) : values,
    titre: first('title'),
    container: first('container-title'),
    auteurs: cslTexts(item['author']),
    containerAuteurs: cslTexts(item['container-author']),
    direction: cslTexts(item['editor']),
    isbns: first('ISBN')
      .split(/(?<![,;/\s])[,;/\s]+(?=[\d-]{9})/)
      .filter(Boolean),
  });
}
