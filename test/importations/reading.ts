import { takePictures } from '#server/subjects/importations/pictures';
import { openFile } from '#server/subjects/importations/sniff';
import { inSaidOrder } from '#server/subjects/importations/questions';
import { formatRaison } from '#server/plumbing/common/raisons';
import { cleanRow, type ReadRow } from '#server/subjects/importations/rows';
import { FileWords } from '#server/subjects/importations/proposals';
import type { Mapping } from '#server/subjects/importations/columns';
import type { ALire } from '#shared/importations';
import { withSentences } from './sentences.ts';

/** Reads a file without a household. */
export async function readFile(
  file: string | Buffer,
  {
    aLire = 'statut',
    given = null,
    remembered = () => null,
  }: Partial<Mapping> & { aLire?: ALire } = {},
) {
  const opened = await openFile(Buffer.from(file), { given, remembered });
  const words = new FileWords();
  const records: (ReadRow & { readonly ligne: number; readonly cells: readonly string[] })[] = [];
  for (const { ligne, cells, record } of opened.records) {
    const clean = cleanRow(record, aLire, opened.monthFirst);
    words.add(clean);
    const { row, ...read } = clean;
    const auteurs = inSaidOrder(row.auteurs, opened.format, undefined);
    records.push({ ligne, cells, ...read, row: { ...row, auteurs } });
  }
  const rest: Record<string, unknown[]> = {};
  for (const { kind, value } of opened.rest) (rest[kind] ??= []).push(value);
  const pictures: Buffer[] = [];
  const outcome = await takePictures(Buffer.from(file), async (picture) => pictures.push(picture));
  const { format, encodage, colonnes, headers, exemples, perdus } = opened;
  const themes = words.propose(true);
  const avertissements = [...opened.avertissements, ...outcome].map((one) => formatRaison(one));
  const read = {
    format,
    encodage,
    colonnes,
    headers,
    exemples,
    records: records.map(withSentences),
    avertissements,
    perdus,
    themes,
  };
  return { ...read, rest, pictures };
}

/** The rows of a file, without their empty fields. */
export async function rowsOf(...args: Parameters<typeof readFile>): Promise<object[]> {
  const { records } = await readFile(...args);
  return records.map(({ row, refus, avertissements }) =>
    withoutNothing({
      ...row,
      refus,
      avertissements,
      lectures: row.lectures.map(withoutNothing),
    }),
  );
}

const withoutNothing = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([, value]) =>
        value !== null &&
        value !== false &&
        value !== 'Physique' &&
        (!Array.isArray(value) || value.length > 0),
    ),
  );
