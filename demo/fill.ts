import { mock } from 'node:test';
import { Parse } from 'typebox/value';
import { Livre } from '#shared/livres';
import { Pret } from '#shared/prets';
import { drawCover } from './couvertures/draw.ts';
import { fillEmplacements } from './emplacements.ts';
import { dayOf, fillLectures } from './lectures.ts';
import { readLivres } from './livres.ts';
import { RESIDENTS, statutsByResident, prets, type Resident } from './household.ts';
import { fillRevues, type KeepCover } from './revues.ts';
import { pictureSender, sender, type Send } from './sender.ts';
import { fillSeries } from './series.ts';
import { fillSouhaits } from './souhaits.ts';

const DAY_MS = 86_400_000;

/** An event in the household, dated in days before today. */
interface CalendarEntry {
  daysAgo: number;
  happen: () => Promise<unknown>;
}

/**
 * Fills an empty household through the service's operations, on the days when its people would have acted: meanwhile
 * the clock of this process, which must also run the service, is set back.
 *
 * @param keepCover stores an issue's picture, instead of the service fetching it
 */
export async function fillHousehold(address: string, keepCover: KeepCover): Promise<void> {
  const send = sender(address);
  const sendPicture = pictureSender(address);
  const livres = new Map<string, Livre>();
  const findLivre = (beginning: string): Livre => {
    for (const livre of livres.values()) if (livre.titre.startsWith(beginning)) return livre;
    throw new Error(`« ${beginning} » n’est pas dans la maison.`);
  };
  const today = Date.now();
  const calendar = [
    ...arrivals(async (saisi, resident) => {
      const livre = Parse(
        Livre,
        await send(resident, 'POST', '/api/livres?confirmerDoublon=true', saisi),
      );
      livres.set(livre.titre, livre);
      // No catalogue has a cover for a book without ISBN, so upload a photograph.
      if (livre.isbn === null)
        await sendPicture(resident, coverPath('livres', livre), await drawLivre(livre));
    }),
    ...loansAndReturns(send, findLivre),
  ].sort((a, b) => b.daysAgo - a.daysAgo);
  mock.timers.enable({ apis: ['Date'] });
  for (const { daysAgo, happen } of calendar) {
    mock.timers.setTime(today - daysAgo * DAY_MS);
    await happen();
  }
  // The remaining records have one fixed time, however long this takes.
  mock.timers.setTime(today);
  await fillLectures(send, (titre) => findLivre(titre).id);
  for (const resident of RESIDENTS)
    for (const [statut, titres] of Object.entries(statutsByResident[resident]))
      for (const [index, titre] of titres.entries()) {
        const path = `/api/livres/${findLivre(titre).id}/statut`;
        await send(resident, 'PUT', path, { statut: Number(statut), jour: dayOf(9 + 17 * index) });
      }
  await fillEmplacements(send, [...livres.values()]);
  await fillSeries(send, (titre) => findLivre(titre).id);
  await fillRevues(send, keepCover);
  await fillSouhaits(send, sendPicture);
  mock.timers.reset();
}

const coverPath = (collection: string, { id }: { id: number }): string =>
  `/api/${collection}/${id}/couverture`;

const drawLivre = ({ titre, auteurs, typeDocument }: Livre): Promise<Buffer> =>
  drawCover(
    { titre, auteur: auteurs[0]?.nom ?? '' },
    typeDocument === 'BandeDessinee' ? 'comic' : 'book',
  );

/** The dates of the books: added in turns, during some weeks a year ago. */
function arrivals(add: (saisi: object, resident: Resident) => Promise<void>): CalendarEntry[] {
  return readLivres().map((saisi, index) => ({
    daysAgo: 365 - index / 4,
    happen: () => add(saisi, RESIDENTS[index % 2] ?? RESIDENTS[0]),
  }));
}

function loansAndReturns(send: Send, findLivre: (titre: string) => Livre): CalendarEntry[] {
  return prets.flatMap(({ titre, emprunteur, lentDaysAgo, returnedDaysAgo }) => {
    let pret: Pret;
    const lend = async () => {
      const path = `/api/livres/${findLivre(titre).id}/prets`;
      pret = Parse(Pret, await send('camille', 'POST', path, { emprunteur }));
    };
    const giveBack = () => send('camille', 'POST', `/api/prets/${pret.id}/retour`);
    const entries: CalendarEntry[] = [{ daysAgo: lentDaysAgo, happen: lend }];
    if (returnedDaysAgo !== undefined) entries.push({ daysAgo: returnedDaysAgo, happen: giveBack });
    return entries;
  });
}
