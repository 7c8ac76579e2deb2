import { expect, test } from 'vitest';
import { findImpossibleValues } from '#server/start/impossible-values';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

test('invalid dates and codes of old rows or other programs are reported at the start', async () => {
  const house = await openHouse();
  const { database } = house.context;
  for (const titre of ['Un', 'Deux']) {
    const { id } = await ajouterLivre(house, { titre });
    await house.ask('ana', 'POST', `/api/livres/${id}/prets`, {
      emprunteur: 'Luc',
      dateRetourPrevue: '2099-02-28',
    });
    await house.ask('ana', 'POST', '/api/lectures', { livreId: id, debut: '2019', fin: '2020-03' });
  }
  await house.ask('ana', 'POST', '/api/emplacements', {
    nom: 'Salon',
    fermeLe: '2020-02-29T10:00:00.000Z',
  });
  await house.ask('ana', 'POST', '/api/revues', { titre: 'Le Mois', issn: '0317-8471' });
  expect(findImpossibleValues(database)).toEqual([]);
  database.write((tx) => {
    tx.run("UPDATE Livre SET isbn = '9782070612750' WHERE id = 1");
    tx.run("UPDATE Livre SET isbn = 'SANS ISBN ICI' WHERE id = 2");
    tx.run("UPDATE Revue SET secondIssn = '0317-8472'");
    tx.run("UPDATE Pret SET dateRetourPrevue = '2099-02-30' WHERE id = 1");
    tx.run("UPDATE Pret SET datePret = '2019-13-45T10:00:00.000Z' WHERE id = 2");
    tx.run("UPDATE Lecture SET debut = 'zzz', fin = '2020-13'");
    tx.run("UPDATE Emplacement SET fermeLe = '2021-02-29T10:00:00.000Z'");
  });
  expect(findImpossibleValues(database)).toEqual([
    'Dates impossibles, montrées telles qu’elles sont : Pret.datePret (n° 2) ; Pret.dateRetourPrevue (n° 1) ; Emplacement.fermeLe (n° 1) ; Lecture.debut (n° 1, 2) ; Lecture.fin (n° 1, 2). Leur fiche les corrige.',
    'Codes qui ne sont ni ISBN ni ISSN, montrés tels qu’ils sont : Livre.isbn (n° 1, 2) ; Revue.secondIssn (n° 1). Leur fiche les corrige.',
  ]);
  const calendar = await fetch(`${house.url}/api/prets/echeances.ics`, {
    headers: house.headersOf('ana'),
  });
  expect(calendar.status).toBe(200);
  expect((await calendar.text()).match(/BEGIN:VEVENT/g)).toHaveLength(1);
});
