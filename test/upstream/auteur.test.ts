import { expect, onTestFinished, test } from 'vitest';
import { parAuteur } from '#server/upstream/bnf/questions';
import { SourceInjoignable } from '#server/upstream/silence';
import { openSources } from '#server/upstream/sources';
import { enveloppe, xmlNotice } from '../../demo/upstream/sru.ts';
import { amontDeTest, silence, type Conduite } from '../support/upstream.ts';

const jamais = new AbortController().signal;

/** A catalogue of so many books by one author, a page at a time; `muette` is a page that fails. */
const oeuvre =
  (nombre: number, muette = Infinity): Conduite =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://amont');
    const debut = Number(searchParams.get('startRecord'));
    const taille = Number(searchParams.get('maximumRecords'));
    if (debut > muette) {
      silence('a diagnostic')(request, response);
      return;
    }
    const page = Array.from({ length: Math.min(taille, nombre - debut + 1) }, (_, i) =>
      xmlNotice({ ark: `cb${debut + i}`, titre: `Titre ${debut + i}`, numeros: [] }),
    );
    const suite = debut + taille <= nombre ? debut + taille : null;
    response.end(enveloppe(page, { nombre, suite }));
  };

async function bibliographie(conduite: Conduite) {
  const amont = await amontDeTest();
  amont.conduire('/api/SRU', conduite);
  const sources = openSources({ ...amont, upstreamTimeout: 5000 });
  onTestFinished(() => sources.close());
  return { amont, notices: parAuteur(sources.bnf, 'Hugo', jamais) };
}

test('pages are followed to the last one', async () => {
  const { amont, notices } = await bibliographie(oeuvre(1203));
  const titres = (await notices).map(({ titre }) => titre);
  expect(titres).toEqual(Array.from({ length: 1203 }, (_, i) => `Titre ${i + 1}`));
  expect(amont.demandes).toHaveLength(3);
  const question = decodeURIComponent(amont.demandes[0] ?? '');
  expect(question).toContain(
    'bib.author all "Hugo" and bib.doctype any "a" and bib.recordtype any "mon"',
  );
});

test('up to two thousand records', async () => {
  const { amont, notices } = await bibliographie(oeuvre(5000));
  expect(await notices).toHaveLength(2000);
  expect(amont.demandes).toHaveLength(4);
});

test('a page that fails fails the whole', async () => {
  const { notices } = await bibliographie(oeuvre(1203, 500));
  await expect(notices).rejects.toBeInstanceOf(SourceInjoignable);
});

test('a next page that is no later one is none', async () => {
  const { notices } = await bibliographie((_, response) => {
    const page = [xmlNotice({ ark: 'cb1', titre: 'Un titre', numeros: [] })];
    response.end(enveloppe(page, { nombre: 9, suite: 1 }));
  });
  expect(await notices).toHaveLength(1);
});
