import { expect, onTestFinished, test } from 'vitest';
import { recordsByAuteur } from '#server/plumbing/upstream/bnf';
import { SourceUnreachable, openSources } from '#server/plumbing/upstream/sources';
import { envelope, recordXml } from '../../demo/upstream/sru.ts';
import { testUpstream, silence, type Behaviour } from '../support/upstream.ts';

const asker = { owner: 'alice', signal: new AbortController().signal };

/** A catalogue of books by one author, in pages; the page after `silentFrom` fails. */
const oeuvre =
  (count: number, silentFrom = Infinity): Behaviour =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://upstream');
    const start = Number(searchParams.get('startRecord'));
    const size = Number(searchParams.get('maximumRecords'));
    if (start > silentFrom) {
      silence('a diagnostic')(request, response);
      return;
    }
    const page = Array.from({ length: Math.min(size, count - start + 1) }, (_, i) =>
      recordXml({ ark: `cb${start + i}`, titre: `Titre ${start + i}`, numeros: [] }),
    );
    const next = start + size <= count ? start + size : null;
    response.end(envelope(page, { count, next }));
  };

async function bibliographie(behaviour: Behaviour) {
  const upstream = await testUpstream();
  upstream.behave('/api/SRU', behaviour);
  const sources = openSources({ ...upstream, upstreamTimeout: 5000 });
  onTestFinished(() => sources.close());
  return { upstream, records: recordsByAuteur(sources.bnf, 'Hugo', asker) };
}

test('pages are followed to the last one', async () => {
  const { upstream, records } = await bibliographie(oeuvre(1203));
  const titres = (await records).map(({ titre }) => titre);
  expect(titres).toEqual(Array.from({ length: 1203 }, (_, i) => `Titre ${i + 1}`));
  expect(upstream.requests).toHaveLength(3);
  const question = decodeURIComponent(upstream.requests[0] ?? '');
  expect(question).toContain(
    'bib.author all "Hugo" and bib.doctype any "a" and bib.recordtype any "mon"',
  );
});

test('up to two thousand records', { tags: 'large' }, async () => {
  const { upstream, records } = await bibliographie(oeuvre(5000));
  expect(await records).toHaveLength(2000);
  expect(upstream.requests).toHaveLength(4);
});

test('a page that fails fails the whole', async () => {
  const { records } = await bibliographie(oeuvre(1203, 500));
  await expect(records).rejects.toBeInstanceOf(SourceUnreachable);
});

test('a next page that is no later one is none', async () => {
  const { records } = await bibliographie((_, response) => {
    const page = [recordXml({ ark: 'cb1', titre: 'Un titre', numeros: [] })];
    response.end(envelope(page, { count: 9, next: 1 }));
  });
  expect(await records).toHaveLength(1);
});
