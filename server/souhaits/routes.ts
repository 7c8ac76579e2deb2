import type { FastifyInstance, FastifyReply } from 'fastify';
import * as souhaits from '#shared/souhaits';
import { enTexte, type Listes } from '#shared/souhaits-texte';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { revuesSouhaiteesDe } from '#server/souhaits-revues/store';
import { enCsv } from './domain-export.ts';
import { ordonner, retirer } from './domain-rangs.ts';
import { ajouter, modifier } from './domain.ts';
import { souhaitsDe } from './store.ts';

export function souhaitsRoutes(app: FastifyInstance, { base }: Context): void {
  mount(app, souhaits.listerSouhaits, ({ utilisateur }) => souhaitsDe(base, utilisateur));
  mount(app, souhaits.ajouterSouhait, ({ utilisateur, body }) => ajouter(base, utilisateur, body));
  mount(app, souhaits.modifierSouhait, ({ utilisateur, params, body }) =>
    modifier(base, utilisateur, params.id, body),
  );
  mount(app, souhaits.supprimerSouhait, ({ utilisateur, params }) => {
    retirer(base, 'Souhait', utilisateur, params.id);
    return undefined;
  });
  mount(app, souhaits.ordonnerSouhaits, ({ utilisateur, body }) => {
    ordonner(base, 'Souhait', utilisateur, body.ids);
    return souhaitsDe(base, utilisateur);
  });

  const listesDe = (utilisateur: string): Listes =>
    base.read(() => ({
      souhaits: souhaitsDe(base, utilisateur),
      revues: revuesSouhaiteesDe(base, utilisateur),
    }));

  mount(app, souhaits.exporterSouhaitsTexte, ({ utilisateur, reply }) => {
    const date = new Date();
    joindre(reply, 'text/plain', `souhaits-${jour(date)}.txt`);
    return enTexte(listesDe(utilisateur), date);
  });
  mount(app, souhaits.exporterSouhaitsCsv, ({ utilisateur, reply }) => {
    joindre(reply, 'text/csv', `souhaits-${jour(new Date())}.csv`);
    return enCsv(listesDe(utilisateur));
  });
}

const jour = (date: Date): string => date.toISOString().slice(0, 10);

/** Makes the answer a file to keep. */
const joindre = (reply: FastifyReply, type: string, nom: string): void =>
  void reply
    .type(`${type}; charset=utf-8`)
    .header('Content-Disposition', `attachment; filename="${nom}"`);
