import { cleanRow, type ALire } from '#server/subjects/importations/domain/clean-row';
import type { Mapping } from '#server/subjects/importations/domain/formats/mapping';
import { openFile } from '#server/subjects/importations/domain/open-file';
import type { ReadRow } from '#server/subjects/importations/domain/row';

/** What a file says, read without a household. */
export async function readFile(
  file: string | Buffer,
  {
    aLire = 'statut',
    given = null,
    remembered = () => null,
  }: Partial<Mapping> & { aLire?: ALire } = {},
) {
  const opened = await openFile(Buffer.from(file), { given, remembered });
  const records: (ReadRow & { readonly ligne: number; readonly cells: readonly string[] })[] = [];
  for await (const batch of opened.records())
    for (const { ligne, cells, raw } of batch)
      records.push({ ligne, cells, ...cleanRow(raw, aLire) });
  const rest: Record<string, unknown[]> = {};
  for await (const { kind, values } of opened.rest?.() ?? []) (rest[kind] ??= []).push(...values);
  const pictures: Buffer[] = [];
  await opened.takePictures?.(async (picture) => pictures.push(picture));
  opened.close?.();
  const { format, encodage, colonnes, headers, exemples } = opened;
  const avertissements = opened.avertissements();
  const read = { format, encodage, colonnes, headers, exemples, records, avertissements };
  return { ...read, rest, pictures };
}

/** The rows of a file: what each has, without what it has not. */
export async function rowsOf(...args: Parameters<typeof readFile>): Promise<object[]> {
  const { records } = await readFile(...args);
  return records.map(({ row, refus, avertissements }) =>
    withoutNothing({
      ...row,
      refus,
      avertissements,
      lectures: row.lectures?.map(withoutNothing) ?? [],
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
