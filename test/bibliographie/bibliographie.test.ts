import { describe, expect, it } from 'vitest';
import type { Bibliographie } from '#shared/bibliographie';
import type { PlayedRecord } from '../../demo/upstream/records.ts';
import { envelope, recordXml } from '../../demo/upstream/sru.ts';
import {
  testUpstream,
  DIAGNOSTICS,
  houseWithSources,
  silence,
  SILENCES,
  type Behaviour,
} from '../support/upstream.ts';
import { FAMILY } from './records.ts';

/** A catalogue that returns these records for any query, in pages. */
const catalogue =
  (records: readonly PlayedRecord[]): Behaviour =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://upstream');
    const start = Number(searchParams.get('startRecord'));
    const fin = start - 1 + Number(searchParams.get('maximumRecords'));
    const page = records.slice(start - 1, fin).map(recordXml);
    const next = fin < records.length ? fin + 1 : null;
    response.end(envelope(page, { count: records.length, next }));
  };

async function openHouseWith(behaviour: Behaviour, timeoutMs?: number) {
  const upstream = await testUpstream();
  upstream.behave('/api/SRU', behaviour);
  const house = await houseWithSources(upstream, timeoutMs);
  const ask = (auteur: string, utilisateur: string | null = null) =>
    house.ask(utilisateur, 'GET', `/api/bibliographie?auteur=${encodeURIComponent(auteur)}`);
  return {
    house,
    upstream,
    ask,
    oeuvres: async (auteur: string) => {
      const { status, body } = await ask(auteur);
      expect(status).toBe(200);
      return (body as Bibliographie).oeuvres;
    },
  };
}

const byMartin = (ark: string, titre: string, date?: string): PlayedRecord => ({
  ark,
  titre,
  numeros: [],
  creators: ['Martin, Jean. Auteur du texte'],
  ...(date === undefined ? {} : { date }),
});

const titres = (oeuvres: Bibliographie['oeuvres']) => oeuvres.map(({ titre }) => titre);

describe('a bibliography', () => {
  it('joins the editions of a work, oldest work first', async () => {
    const { oeuvres } = await openHouseWith(catalogue(FAMILY));
    expect(await oeuvres('Jean Martin')).toEqual([
      {
        titre: 'La lande',
        cleOeuvre: 'la lande',
        annee: 1958,
        isbn: '9782948012031',
        editions: 3,
        possede: false,
        livreId: null,
      },
      {
        titre: 'Le phare',
        cleOeuvre: 'le phare',
        annee: 1971,
        isbn: '9782948012048',
        editions: 1,
        possede: false,
        livreId: null,
      },
      {
        titre: 'Images',
        cleOeuvre: 'images',
        annee: null,
        isbn: null,
        editions: 1,
        possede: false,
        livreId: null,
      },
    ]);
    expect(titres(await oeuvres('MARTIN, Jean'))).toEqual(['La lande', 'Le phare', 'Images']);
  });

  it('wants the name of an author', async () => {
    const { oeuvres, house } = await openHouseWith(catalogue(FAMILY));
    expect(await oeuvres('…')).toEqual([]);
    for (const query of ['', '?auteur=', '?auteur=a&auteur=b', `?auteur=${'a'.repeat(201)}`])
      expect((await house.ask(null, 'GET', `/api/bibliographie${query}`)).status).toBe(400);
  });

  it('lists works without a year last, by title', async () => {
    const { oeuvres } = await openHouseWith(
      catalogue([
        byMartin('cb1', 'Âne'),
        byMartin('cb2', 'Zèbre', '1971'),
        byMartin('cb3', 'Abeille'),
      ]),
    );
    expect(await oeuvres('Jean Martin')).toMatchObject([
      { titre: 'Zèbre', annee: 1971 },
      { titre: 'Abeille', annee: null },
      { titre: 'Âne', annee: null },
    ]);
  });

  it('owns no work by a title of signs alone', async () => {
    const { oeuvres, house } = await openHouseWith(catalogue([byMartin('cb4', '???', '1980')]));
    await house.ask(null, 'POST', '/api/livres', { titre: '!!!', format: 'Physique', auteurs: [] });
    expect(await oeuvres('Jean Martin')).toMatchObject([
      { titre: '???', annee: 1980, possede: false, livreId: null },
    ]);
  });

  it('asks with both filters, and quotes the typed text', async () => {
    const { oeuvres, upstream } = await openHouseWith(catalogue([]));
    expect(await oeuvres('Jean "Martin" or bib.author any "Roy\\"')).toEqual([]);
    const query = new URL(upstream.requests[0] ?? '', 'http://upstream').searchParams.get('query');
    expect(query).toBe(
      'bib.author all "Jean Martin or bib.author any Roy" and bib.doctype any "a" and bib.recordtype any "mon"',
    );
  });

  it('leaves out records that are no books despite the filters', async () => {
    const auteur = ['Martin, Jean. Auteur du texte'];
    const { oeuvres } = await openHouseWith(
      catalogue([
        { ark: 'cb1', titre: 'Le livre', numeros: [], creators: auteur },
        { ark: 'cb2', titre: 'Le disque', numeros: [], creators: auteur, type: 'document sonore' },
        {
          ark: 'cb3',
          titre: 'La revue',
          numeros: [],
          creators: auteur,
          type: 'publication en série imprimée',
        },
      ]),
    );
    expect(titres(await oeuvres('Jean Martin'))).toEqual(['Le livre']);
  });

  it('finds full forms by initials, never the other way round', async () => {
    const record = (titre: string, creator: string): PlayedRecord => ({
      ark: `cb${titre}`,
      titre,
      numeros: [],
      creators: [creator],
    });
    const { oeuvres } = await openHouseWith(
      catalogue([
        record('A', 'Tolkien, John Ronald Reuel (1892-1973). Auteur du texte'),
        record('B', 'Tolkien, J. R. R. (1892-1973). Auteur du texte'),
        record('C', 'Tolkien, John R. R. Auteur du texte'),
        record('D', 'Dumas, Alexandre (1802-1870). Auteur du texte'),
        record('E', 'Dumas, Adolphe (1805-1861). Auteur du texte'),
        record('F', 'Dumas, A. Auteur du texte'),
      ]),
    );
    expect(titres(await oeuvres('J. R. R. Tolkien'))).toEqual(['A', 'B', 'C']);
    expect(titres(await oeuvres('John Ronald Reuel Tolkien'))).toEqual(['A']);
    expect(titres(await oeuvres('A. Dumas'))).toEqual(['F']);
    expect(titres(await oeuvres('Alexandre Dumas'))).toEqual(['D']);
  });

  it('marks owned works, whatever the edition', async () => {
    const { oeuvres, house } = await openHouseWith(catalogue(FAMILY));
    const livre = { titre: 'La Lande (édition de poche)', format: 'Physique', auteurs: ['Autre'] };
    const { body } = await house.ask(null, 'POST', '/api/livres', livre);
    const { id } = body as { id: number };
    const [owned, missing] = await oeuvres('Jean Martin');
    expect(owned).toMatchObject({ possede: true, livreId: id });
    expect(missing).toMatchObject({ possede: false, livreId: null });
    await house.ask(null, 'DELETE', `/api/livres/${String(id)}`);
    expect((await oeuvres('Jean Martin'))[0]).toMatchObject({ possede: false, livreId: null });
  });

  it('follows the pages up to two thousand distinct records', { tags: 'large' }, async () => {
    const many = Array.from({ length: 2100 }, (_, index) => ({
      ark: `cb${String(index === 600 ? 0 : index)}`,
      titre: `Œuvre ${String(index === 600 ? 0 : index)}`,
      numeros: [],
      creators: ['Martin, Jean. Auteur du texte'],
    }));
    const { oeuvres, upstream } = await openHouseWith(catalogue(many));
    const found = await oeuvres('Jean Martin');
    expect(found).toHaveLength(1999);
    expect(found[0]?.editions).toBe(1);
    expect(upstream.requests).toHaveLength(4);
  });
});

it('a silent source is an error, not an empty list', async () => {
  const { ask, upstream } = await openHouseWith(catalogue([]), 300);
  const first = envelope(FAMILY.map(recordXml), { count: 501, next: 501 });
  const countLast = () =>
    upstream.requests.filter((request) => request.endsWith('startRecord=501')).length;
  for (const nom of [...Object.keys(SILENCES), ...Object.keys(DIAGNOSTICS)]) {
    upstream.behave('/api/SRU', silence(nom));
    // A different reader each time, because of the rate limit.
    expect(await ask('Jean Martin', nom), nom).toMatchObject({
      status: 502,
      body: { code: 'SOURCE_INJOIGNABLE', statusCode: 502 },
    });
    upstream.behave('/api/SRU', (request, response) => {
      if (request.url?.endsWith('startRecord=1')) response.end(first);
      else silence(nom)(request, response);
    });
    const before = countLast();
    // On a busy machine the first page may be late, too.
    while (countLast() === before) expect((await ask('Jean Martin', nom)).status, nom).toBe(502);
  }
  // A status 404 is a failure, too.
  upstream.behave('/api/SRU', (_, response) => void response.writeHead(404).end());
  expect((await ask('Jean Martin')).status).toBe(502);
});

it('a simulated catalogue yields the whole bibliography, without relatives’ books', async () => {
  const house = await houseWithSources(await testUpstream());
  const { body } = await house.ask(null, 'GET', '/api/bibliographie?auteur=Jules%20Verne');
  const { oeuvres } = body as Bibliographie;
  expect(titres(oeuvres)).toContain('Le château des Carpathes');
  expect(titres(oeuvres)).toContain("L'étonnante aventure de la mission Barsac");
  expect(titres(oeuvres)).not.toContain('Jules Verne');
  expect(oeuvres.find(({ cleOeuvre }) => cleOeuvre === 'michel strogoff')?.editions).toBe(2);
});
