import { envelope, recordXml } from '../../../demo/upstream/sru.ts';
import { openHouse } from '../../support/house.ts';
import { ajouterLivre } from '../../support/livres.ts';
import { picture } from './pictures.ts';
import { gives, openSource } from './source.ts';

export const ISBN = '9782070360024';

const json = (value: unknown) => gives(Buffer.from(JSON.stringify(value)), 'application/json');

/**
 * A household with one book, and a source with this many covers of the work's editions, plus two records that share
 * one cover.
 */
export async function sourceWith(covers: number) {
  const source = await openSource();
  source.behave(`/isbn/${ISBN}.json`, json({ covers: [1, -1], works: [{ key: '/works/OL1W' }] }));
  const entries = Array.from({ length: covers }, (_, i) => ({ covers: [i + 1] }));
  source.behave('/works/OL1W/editions.json', json({ entries }));
  for (let i = 1; i <= covers; i++)
    source.behave(
      `/b/id/${i}-L.jpg`,
      gives(await picture(`#0000${(i * 9).toString(16).padStart(2, '0')}`)),
    );
  const records = ['cb900000001', 'cb900000002'].map((ark) =>
    recordXml({ ark, titre: 'Phare', numeros: [`ISBN ${ISBN}`] }),
  );
  source.behave('/api/SRU', gives(Buffer.from(envelope(records)), 'application/xml'));
  source.behave('/couverture', gives(await picture('#dddddd')));
  const own = '/couverture?appName=NE&idArk=ark:/12148/cb900000001&couverture=1';
  source.behave(own, gives(await picture('#00ff00')));
  const house = await openHouse(undefined, {
    OPEN_LIBRARY_COVERS_URL: source.url,
    OPEN_LIBRARY_URL: source.url,
    BNF_SRU_URL: `${source.url}/api/SRU`,
  });
  await ajouterLivre(house, { titre: 'Phare', isbn: ISBN });
  return { source, house };
}
