import { text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import type { House } from '../support/house.ts';

/** The text files of a zip, by name. */
export async function unzip(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return files;
}

/** Downloads a file of the API as a reader. */
export async function download(
  house: House,
  path: string,
  utilisateur: string | null = 'ana',
): Promise<{ headers: Headers; bytes: Buffer }> {
  const response = await fetch(house.url + path, { headers: house.headersOf(utilisateur) });
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Imports a file, unless the query says otherwise; returns the response. */
export async function importInto(
  house: House,
  bytes: Buffer,
  query = 'essai=false',
  utilisateur = 'ana',
) {
  const response = await fetch(`${house.url}/api/importations?${query}`, {
    method: 'POST',
    headers: house.headersOf(utilisateur),
    body: new Uint8Array(bytes),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

type Records = readonly Readonly<Record<string, unknown>>[];

/** The content of an export without ids: references are replaced by what they refer to. */
export async function contentOf(house: House, utilisateur: string | null = 'ana') {
  const files = await unzip((await download(house, '/api/export.zip', utilisateur)).bytes);
  const read = (kind: string) => JSON.parse(files.get(`json/${kind}.json`) ?? 'null') as Records;
  const names = (kind: string, field: string) =>
    new Map(read(kind).map((record) => [record['id'], record[field]]));
  const auteurs = names('auteurs', 'nom');
  const revues = names('revues', 'titre');
  const series = names('series', 'titre');
  const emplacements = names('emplacements', 'nom');
  const livres = new Map(
    read('livres').map((livre) => [livre['id'], [livre['titre'], livre['dateAjout']]]),
  );
  const places = new Map(
    read('series').flatMap((serie) =>
      (serie['places'] as Records).map((place) => [place['id'], [serie['titre'], place['titre']]]),
    ),
  );
  const sorted = (values: readonly unknown[]) =>
    values.map((value) => JSON.stringify(value)).sort();
  return {
    auteurs: sorted(read('auteurs').map(({ id: _, ...rest }) => rest)),
    refus: sorted(
      read('refus').map((pair) =>
        [pair['premierId'], pair['secondId']].map((id) => auteurs.get(id)).sort(),
      ),
    ),
    livres: sorted(
      read('livres').map(({ id: _, emplacementId, ...rest }) => ({
        ...rest,
        emplacement: emplacements.get(emplacementId) ?? null,
        auteurs: (rest['auteurs'] as Records).map(({ nom }) => nom),
        prets: (rest['prets'] as Records)
          .map(({ id: _id, ...pret }) => pret)
          .sort((a, b) => (String(a['datePret']) < String(b['datePret']) ? -1 : 1)),
      })),
    ),
    emplacements: sorted(
      read('emplacements').map(({ id: _, rang: _rang, parentId, ...rest }) => ({
        ...rest,
        parent: emplacements.get(parentId) ?? null,
      })),
    ),
    series: sorted(
      read('series').map(({ id: _, parentId, ...rest }) => ({
        ...rest,
        parent: series.get(parentId) ?? null,
        places: (rest['places'] as Records).map(({ id: _id, livreId, ...place }) => ({
          ...place,
          livre: livres.get(livreId) ?? null,
        })),
      })),
    ),
    revues: sorted(read('revues').map(({ id: _, ...rest }) => rest)),
    numeros: sorted(
      read('numeros').map(({ id: _, revueId, ...rest }) => ({
        ...rest,
        revue: revues.get(revueId),
      })),
    ),
    souhaits: read('souhaits').map(({ id: _, placeId, ...rest }) => ({
      ...rest,
      place: places.get(placeId) ?? null,
    })),
    'souhaits-revues': read('souhaits-revues').map(({ id: _, ...rest }) => rest),
    selections: read('selections').map(({ id: _, rang: _rang, criteres, livres: ids, ...rest }) => {
      const { emplacement, ...others } = (criteres ?? {}) as Record<string, unknown>;
      const where = emplacements.get(Number(emplacement)) ?? null;
      const listed = (ids as number[] | null)?.map((id) => livres.get(id)) ?? null;
      return { ...rest, criteres: criteres && others, emplacement: where, livres: listed };
    }),
    objectifs: sorted(read('objectifs').map(({ id: _, ...rest }) => rest)),
    lectures: sorted(
      read('lectures').map(({ id: _, livreId, ...rest }) => ({
        ...rest,
        livre: livres.get(livreId) ?? null,
      })),
    ),
  };
}
