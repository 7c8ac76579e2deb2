import { describe, expect, it } from 'vitest';
import type { Bibliographie } from '#shared/bibliographie';
import type { NoticeJouee } from '../../demo/upstream/notices.ts';
import { enveloppe, xmlNotice } from '../../demo/upstream/sru.ts';
import {
  amontDeTest,
  DIAGNOSTICS,
  maisonReliee,
  silence,
  SILENCES,
  type Conduite,
} from '../support/upstream.ts';
import { FAMILLE } from './notices.ts';

/** A catalogue that answers these records to whatever it is asked, page by page. */
const catalogue =
  (notices: readonly NoticeJouee[]): Conduite =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://amont');
    const debut = Number(searchParams.get('startRecord'));
    const fin = debut - 1 + Number(searchParams.get('maximumRecords'));
    const page = notices.slice(debut - 1, fin).map(xmlNotice);
    const suite = fin < notices.length ? fin + 1 : null;
    response.end(enveloppe(page, { nombre: notices.length, suite }));
  };

async function ouvrir(conduite: Conduite, delai?: number) {
  const amont = await amontDeTest();
  amont.conduire('/api/SRU', conduite);
  const maison = await maisonReliee(amont, delai);
  const demander = (auteur: string) =>
    maison.ask(null, 'GET', `/api/bibliographie?auteur=${encodeURIComponent(auteur)}`);
  return {
    maison,
    amont,
    demander,
    oeuvres: async (auteur: string) => {
      const { status, body } = await demander(auteur);
      expect(status).toBe(200);
      return (body as Bibliographie).oeuvres;
    },
  };
}

const titres = (oeuvres: Bibliographie['oeuvres']) => oeuvres.map(({ titre }) => titre);

describe('a bibliography', () => {
  it('is the author’s own, editions together, by year and then by title', async () => {
    const { oeuvres } = await ouvrir(catalogue(FAMILLE));
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

  it('asks with both filters, quoted so that nothing typed ends the term', async () => {
    const { oeuvres, amont } = await ouvrir(catalogue([]));
    expect(await oeuvres('Jean "Martin" or bib.author any "Roy\\"')).toEqual([]);
    const query = new URL(amont.demandes[0] ?? '', 'http://amont').searchParams.get('query');
    expect(query).toBe(
      'bib.author all "Jean Martin or bib.author any Roy" and bib.doctype any "a" and bib.recordtype any "mon"',
    );
  });

  it('leaves out what is no book, whatever the filters let through', async () => {
    const auteur = ['Martin, Jean. Auteur du texte'];
    const { oeuvres } = await ouvrir(
      catalogue([
        { ark: 'cb1', titre: 'Le livre', numeros: [], createurs: auteur },
        { ark: 'cb2', titre: 'Le disque', numeros: [], createurs: auteur, type: 'document sonore' },
        {
          ark: 'cb3',
          titre: 'La revue',
          numeros: [],
          createurs: auteur,
          type: 'publication en série imprimée',
        },
      ]),
    );
    expect(titres(await oeuvres('Jean Martin'))).toEqual(['Le livre']);
  });

  it('takes the full form of initials where there is one, and never the other way', async () => {
    const notice = (titre: string, createur: string): NoticeJouee => ({
      ark: `cb${titre}`,
      titre,
      numeros: [],
      createurs: [createur],
    });
    const { oeuvres } = await ouvrir(
      catalogue([
        notice('A', 'Tolkien, John Ronald Reuel (1892-1973). Auteur du texte'),
        notice('B', 'Tolkien, J. R. R. (1892-1973). Auteur du texte'),
        notice('C', 'Tolkien, John R. R. Auteur du texte'),
        notice('D', 'Dumas, Alexandre (1802-1870). Auteur du texte'),
        notice('E', 'Dumas, Adolphe (1805-1861). Auteur du texte'),
        notice('F', 'Dumas, A. Auteur du texte'),
      ]),
    );
    expect(titres(await oeuvres('J. R. R. Tolkien'))).toEqual(['A', 'B', 'C']);
    expect(titres(await oeuvres('John Ronald Reuel Tolkien'))).toEqual(['A']);
    expect(titres(await oeuvres('A. Dumas'))).toEqual(['F']);
    expect(titres(await oeuvres('Alexandre Dumas'))).toEqual(['D']);
  });

  it('says what the household has, by the work alone', async () => {
    const { oeuvres, maison } = await ouvrir(catalogue(FAMILLE));
    const livre = { titre: 'La Lande (édition de poche)', format: 'Physique', auteurs: ['Autre'] };
    const { body } = await maison.ask(null, 'POST', '/api/livres', livre);
    const { id } = body as { id: number };
    const [lande, phare] = await oeuvres('Jean Martin');
    expect(lande).toMatchObject({ possede: true, livreId: id });
    expect(phare).toMatchObject({ possede: false, livreId: null });
    await maison.ask(null, 'DELETE', `/api/livres/${String(id)}`);
    expect((await oeuvres('Jean Martin'))[0]).toMatchObject({ possede: false, livreId: null });
  });

  it('follows the pages up to two thousand records, a record met twice once', async () => {
    const beaucoup = Array.from({ length: 2100 }, (_, rang) => ({
      ark: `cb${String(rang === 600 ? 0 : rang)}`,
      titre: `Œuvre ${String(rang === 600 ? 0 : rang)}`,
      numeros: [],
      createurs: ['Martin, Jean. Auteur du texte'],
    }));
    const { oeuvres, amont } = await ouvrir(catalogue(beaucoup));
    const trouvees = await oeuvres('Jean Martin');
    expect(trouvees).toHaveLength(1999);
    expect(trouvees[0]?.editions).toBe(1);
    expect(amont.demandes).toHaveLength(4);
  });

  it('wants a name', async () => {
    const { maison, demander } = await ouvrir(catalogue(FAMILLE));
    for (const query of ['', '?auteur=', '?auteur=a&auteur=b', `?auteur=${'a'.repeat(201)}`])
      expect((await maison.ask(null, 'GET', `/api/bibliographie${query}`)).status).toBe(400);
    expect(await demander('…')).toMatchObject({ status: 200, body: { oeuvres: [] } });
  });
});

describe.each([...Object.keys(SILENCES), ...Object.keys(DIAGNOSTICS)])(
  'a source that %s',
  (nom) => {
    it('is no empty list, on the first page or the last', async () => {
      const { demander, amont } = await ouvrir(silence(nom), 300);
      expect(await demander('Jean Martin')).toMatchObject({
        status: 502,
        body: { code: 'SOURCE_INJOIGNABLE', statusCode: 502 },
      });
      const pleine = Array.from({ length: 501 }, (_, rang) => ({
        ark: `cb${String(rang)}`,
        titre: `Œuvre ${String(rang)}`,
        numeros: [],
        createurs: ['Martin, Jean. Auteur du texte'],
      }));
      amont.conduire('/api/SRU', (request, response) =>
        (request.url?.includes('startRecord=1&') || request.url?.endsWith('startRecord=1')
          ? catalogue(pleine)
          : silence(nom))(request, response),
      );
      expect((await demander('Jean Martin')).status).toBe(502);
    });
  },
);

it('a whole played catalogue answers, relatives left out', async () => {
  const maison = await maisonReliee(await amontDeTest());
  const { body } = await maison.ask(null, 'GET', '/api/bibliographie?auteur=Jules%20Verne');
  const { oeuvres } = body as Bibliographie;
  expect(titres(oeuvres)).toContain('Le château des Carpathes');
  expect(titres(oeuvres)).toContain("L'étonnante aventure de la mission Barsac");
  expect(titres(oeuvres)).not.toContain('Jules Verne');
  expect(oeuvres.find(({ cleOeuvre }) => cleOeuvre === 'michel strogoff')?.editions).toBe(2);
});

it('a page that is not there is a failure, too', async () => {
  const { demander } = await ouvrir((_, response) => void response.writeHead(404).end());
  expect((await demander('Jean Martin')).status).toBe(502);
});
