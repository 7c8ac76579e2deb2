import { mock } from 'node:test';
import type { Livre } from '#shared/livres';
import type { Pret } from '#shared/prets';
import { lireLivres } from './livres.ts';
import { HABITANTS, lectures, prets, type Habitant } from './maison.ts';
import { fillRevues } from './revues.ts';
import { sender, type Send } from './sender.ts';
import { fillSeries } from './series.ts';
import { fillSouhaits } from './souhaits.ts';

const JOUR = 86_400_000;

/** Something that happened in the house, so many days before today. */
interface Evenement {
  jour: number;
  arrive: () => Promise<unknown>;
}

/**
 * Fills an empty household through the service's own operations, on the days when its people would
 * have done it: for the time that this takes, the clock of this process, which must be the
 * service's, is set back.
 */
export async function fillHousehold(address: string): Promise<void> {
  const send = sender(address);
  const livres = new Map<string, Livre>();
  const trouver = (debut: string): Livre => {
    for (const livre of livres.values()) if (livre.titre.startsWith(debut)) return livre;
    throw new Error(`« ${debut} » n’est pas dans la maison.`);
  };
  const today = Date.now();
  const calendar = [
    ...arrivees(async (saisi, habitant) => {
      const livre = await send<Livre>(habitant, 'POST', '/api/livres?confirmerDoublon=true', saisi);
      livres.set(livre.titre, livre);
    }),
    ...pretsEtRetours(send, trouver),
  ].sort((a, b) => b.jour - a.jour);
  mock.timers.enable({ apis: ['Date'] });
  for (const { jour, arrive } of calendar) {
    mock.timers.setTime(today - jour * JOUR);
    await arrive();
  }
  mock.timers.reset();
  for (const habitant of HABITANTS)
    for (const [statut, titres] of Object.entries(lectures[habitant]))
      for (const titre of titres) {
        const path = `/api/livres/${trouver(titre).id}/statut`;
        await send(habitant, 'PUT', path, { statut: Number(statut) });
      }
  await fillSeries(send, (titre) => trouver(titre).id);
  await fillRevues(send);
  await fillSouhaits(send);
}

/** The shelves were entered within some weeks, a year ago, by turns. */
function arrivees(ajouter: (saisi: object, habitant: Habitant) => Promise<void>): Evenement[] {
  return lireLivres().map((saisi, index) => ({
    jour: 365 - index / 4,
    arrive: () => ajouter(saisi, HABITANTS[index % 2] ?? HABITANTS[0]),
  }));
}

function pretsEtRetours(send: Send, trouver: (titre: string) => Livre): Evenement[] {
  return prets.flatMap(({ titre, emprunteur, depuis, rendu }) => {
    let pret: Pret;
    const sortie = async () => {
      const path = `/api/livres/${trouver(titre).id}/prets`;
      pret = await send<Pret>('camille', 'POST', path, { emprunteur });
    };
    const retour = () => send('camille', 'POST', `/api/prets/${pret.id}/retour`);
    const evenements: Evenement[] = [{ jour: depuis, arrive: sortie }];
    if (rendu !== undefined) evenements.push({ jour: rendu, arrive: retour });
    return evenements;
  });
}
