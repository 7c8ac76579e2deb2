import { text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import type { House } from '../support/house.ts';
import { random } from '../support/random.ts';

/** The files of a zip by name, as texts. */
export async function unzip(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return files;
}

/** Downloads a file of the API as somebody. */
export async function download(
  house: House,
  path: string,
  utilisateur: string | null = 'ana',
): Promise<{ headers: Headers; bytes: Buffer }> {
  const response = await fetch(house.url + path, { headers: house.headersOf(utilisateur) });
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Imports a file for good, unless the query says otherwise, and gives back the answer. */
export async function importInto(house: House, bytes: Buffer, query = 'essai=false') {
  const response = await fetch(`${house.url}/api/importations?${query}`, {
    method: 'POST',
    headers: house.headersOf('ana'),
    body: new Uint8Array(bytes),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

type Records = readonly Readonly<Record<string, unknown>>[];

/** What an export holds, without the ids: links are told by what they lead to. */
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
    lectures: sorted(
      read('lectures').map(({ id: _, livreId, ...rest }) => ({
        ...rest,
        livre: livres.get(livreId) ?? null,
      })),
    ),
  };
}

/** Fills a house with a random household, everything in it that an export has to carry. */
export async function fill(house: House, seed: number): Promise<void> {
  const { fraction, integer, oneOf: pick } = random(seed);
  const maybe = <T>(value: T): T | null => (fraction() < 0.5 ? value : null);
  const ask = async (user: string | null, method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await house.ask(user, method, path, body);
    if (status >= 500) throw new Error(`${method} ${path}: ${status}`);
    return (status < 400 ? answer : null) as { id: number; places?: { id: number }[] } | null;
  };
  const noms = [
    'Jean Martin',
    'Jacques Martin',
    'J. Martin',
    'Élise Brun',
    'BRUN, Luc',
    'Æ',
    'Colette',
  ];
  const titres = [
    'Nadja',
    '=SOMME(A1)',
    'Le « Grand » ; suite',
    'Œuvres\u00a0: tome 2',
    '😀',
    'Zoé & co {x}',
    'Deux\nlignes',
    '…',
  ];
  for (const [nom, parentId] of [
    ['Salon', null],
    ['=Étagère > 3', 1],
    ['Cave', null],
  ] as const)
    await ask('ana', 'POST', '/api/emplacements', {
      nom,
      parentId,
      note: parentId === null ? 'Au fond' : null,
      fermeLe: parentId === null ? null : '2026-03-03T10:00:00.000Z',
    });
  // The outermost is the younger one.
  await ask('ana', 'PUT', '/api/emplacements/1', { nom: 'Salon', parentId: 3 });
  const ids: number[] = [];
  for (let i = 0; i < 12; i++) {
    const livre = await ask(
      pick(['ana', 'bob', null]),
      'POST',
      '/api/livres?confirmerDoublon=true',
      {
        titre: pick(titres),
        format: pick(['Physique', 'Physique', 'Numerique']),
        auteurs: [...new Set([pick(noms), pick(noms)])].slice(0, integer(3)),
        isbn: maybe(pick(['9782070360024', '9782253004226'])),
        typeDocument: pick(['Roman', 'BandeDessinee', null]),
        annee: maybe(pick([-50, 1900, 2026])),
        nombrePages: maybe(123),
        editeur: maybe('Éditions, « du » Seuil'),
        coverUrl: maybe('https://exemple.org/c.jpg'),
        emplacementId: [null, 1, 2, 3][i % 4],
      },
    );
    if (livre !== null) ids.push(livre.id);
  }
  const auteurs = (await house.ask('ana', 'GET', '/api/auteurs')).body as { id: number }[];
  for (const [index, { id }] of auteurs.entries())
    if (index > 0 && fraction() < 0.4)
      await ask('ana', 'POST', '/api/auteurs/refus', { auteurs: [auteurs[index - 1]?.id, id] });
  for (const id of ids) {
    for (let times = integer(3); times > 0; times--) {
      const pret = await ask('bob', 'POST', `/api/livres/${id}/prets`, {
        emprunteur: pick(['Tante Zoé', 'Luc']),
      });
      if (pret !== null && fraction() < 0.6)
        await ask('ana', 'POST', `/api/prets/${pret.id}/retour`, {});
    }
    if (fraction() < 0.5)
      await ask('ana', 'PUT', `/api/livres/${id}/statut`, { statut: pick([0, 1, 2]) });
    if (fraction() < 0.3) await ask('bob', 'PUT', `/api/livres/${id}/statut`, { statut: 2 });
  }
  const cycle = await ask('ana', 'POST', '/api/series', { titre: 'Le cycle', places: [] });
  const serie = await ask('ana', 'POST', '/api/series', {
    titre: 'La série',
    parentId: maybe(cycle?.id),
    places: [
      { titre: 'Un', numero: '1', livreId: maybe(pick(ids)) },
      { titre: 'Deux', numero: maybe('2'), auteur: maybe('Colette'), isbn: maybe('9782253004226') },
    ],
  });
  if (serie?.places?.[1] && fraction() < 0.7)
    await ask('ana', 'POST', `/api/places/${serie.places[1].id}/souhait`, {});
  for (const numero of ['1', '2 bis'])
    await ask('ana', 'POST', '/api/revues/numeros', {
      revue: { titre: 'Rivages', issn: maybe('0988-2480'), secondIssn: maybe('2917-0443') },
      numero: {
        numero,
        date: maybe('printemps 2026'),
        une: maybe('À\nla une'),
        themes: [pick(['Mer', 'Île'])],
        articles: ['Un', 'Deux'],
      },
    });
  for (const titre of titres)
    if (fraction() < 0.5)
      await ask(pick(['ana', 'bob']), 'POST', '/api/souhaits', {
        titre,
        auteur: maybe('Colette ; Luc'),
        isbn: maybe('9782070360024'),
      });
  for (const livreId of [1, 2, 2])
    await ask('ana', 'POST', '/api/lectures', {
      livreId: maybe(livreId),
      titre: 'Prêté par Luc',
      auteurs: ['Colette', 'Luc'],
      fin: maybe('2019-03'),
      note: maybe(7),
      avis: maybe('Un\nmot'),
    });
  await ask('ana', 'POST', '/api/souhaits-revues', {
    titre: 'Cahiers',
    numero: maybe('12'),
    issn: maybe('0988-2480'),
  });
}
