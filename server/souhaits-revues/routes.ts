import type { FastifyInstance } from 'fastify';
import * as souhaitsRevues from '#shared/souhaits-revues';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { ordonner, retirer } from '#server/souhaits/domain-rangs';
import { ajouter, modifier } from './domain.ts';
import { revuesSouhaiteesDe } from './store.ts';

export function souhaitsRevuesRoutes(app: FastifyInstance, { base }: Context): void {
  mount(app, souhaitsRevues.listerRevuesSouhaitees, ({ utilisateur }) =>
    revuesSouhaiteesDe(base, utilisateur),
  );
  mount(app, souhaitsRevues.ajouterRevueSouhaitee, ({ utilisateur, body }) =>
    ajouter(base, utilisateur, body),
  );
  mount(app, souhaitsRevues.modifierRevueSouhaitee, ({ utilisateur, params, body }) =>
    modifier(base, utilisateur, params.id, body),
  );
  mount(app, souhaitsRevues.supprimerRevueSouhaitee, ({ utilisateur, params }) => {
    retirer(base, 'RevueSouhaitee', utilisateur, params.id);
    return undefined;
  });
  mount(app, souhaitsRevues.ordonnerRevuesSouhaitees, ({ utilisateur, body }) => {
    ordonner(base, 'RevueSouhaitee', utilisateur, body.ids);
    return revuesSouhaiteesDe(base, utilisateur);
  });
}
