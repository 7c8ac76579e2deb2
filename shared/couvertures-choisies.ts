import { Type } from 'typebox';
import { AutreCouverture, CouvertureChoisie, MAX_AUTRES, MAX_COVER_BYTES } from './couvertures.ts';
import { endpoint } from './endpoint.ts';
import { IdParams } from './fields.ts';
import { Livre } from './livres.ts';
import { Numero, numeroTold } from './numeros.ts';
import { Souhait } from './souhaits.ts';

// What a person chooses as a cover, in place of what the address gives (docs/rules.md § 43).

export const choisirCouvertureLivre = endpoint({
  method: 'PUT',
  path: '/api/livres/:id/couverture',
  record: { collection: 'livres' },
  modification: { operation: 'choisirCouverture', resume: 'Couverture changée' },
  summary: 'Donne à un livre l’image du corps comme couverture.',
  params: IdParams,
  bytes: MAX_COVER_BYTES,
  response: Livre,
  also: [413],
});

export const choisirCouvertureNumero = endpoint({
  method: 'PUT',
  path: '/api/numeros/:id/couverture',
  record: { collection: 'numeros' },
  modification: {
    operation: 'choisirCouverture',
    resume: (changes) => `Couverture changée : ${numeroTold(changes)}`,
  },
  summary: 'Donne à un numéro l’image du corps comme couverture.',
  params: IdParams,
  bytes: MAX_COVER_BYTES,
  response: Numero,
  also: [413],
});

export const choisirCouvertureSouhait = endpoint({
  method: 'PUT',
  path: '/api/souhaits/:id/couverture',
  record: { collection: 'souhaits' },
  modification: { operation: 'choisirCouverture', resume: 'Couverture changée' },
  summary: 'Donne à un souhait l’image du corps comme couverture.',
  params: IdParams,
  bytes: MAX_COVER_BYTES,
  response: Souhait,
  also: [413],
  personal: true,
});

export const remettreCouvertureLivre = endpoint({
  method: 'DELETE',
  path: '/api/livres/:id/couverture',
  record: { collection: 'livres' },
  modification: { operation: 'remettreCouverture', resume: 'Couverture changée' },
  summary: 'Remet à un livre la couverture de son adresse.',
  params: IdParams,
  response: Livre,
});

export const remettreCouvertureNumero = endpoint({
  method: 'DELETE',
  path: '/api/numeros/:id/couverture',
  record: { collection: 'numeros' },
  modification: {
    operation: 'remettreCouverture',
    resume: (changes) => `Couverture changée : ${numeroTold(changes)}`,
  },
  summary: 'Remet à un numéro la couverture de son adresse.',
  params: IdParams,
  response: Numero,
});

export const remettreCouvertureSouhait = endpoint({
  method: 'DELETE',
  path: '/api/souhaits/:id/couverture',
  record: { collection: 'souhaits' },
  modification: { operation: 'remettreCouverture', resume: 'Couverture changée' },
  summary: 'Remet à un souhait la couverture de son adresse.',
  params: IdParams,
  response: Souhait,
  personal: true,
});

const Autres = Type.Array(AutreCouverture, { maxItems: MAX_AUTRES });

export const listerAutresCouverturesLivre = endpoint({
  method: 'GET',
  path: '/api/livres/:id/autres-couvertures',
  summary: 'Ce que les sources ont comme couvertures pour un livre et ses autres éditions.',
  params: IdParams,
  response: Autres,
  also: [502, 507],
});

export const listerAutresCouverturesSouhait = endpoint({
  method: 'GET',
  path: '/api/souhaits/:id/autres-couvertures',
  summary: 'Ce que les sources ont comme couvertures pour un souhait et ses autres éditions.',
  params: IdParams,
  response: Autres,
  also: [502, 507],
  personal: true,
});

export const choisirAutreCouvertureLivre = endpoint({
  method: 'PUT',
  path: '/api/livres/:id/autres-couvertures',
  record: { collection: 'livres' },
  modification: { operation: 'choisirCouverture', resume: 'Couverture changée' },
  summary: 'Donne à un livre l’une des couvertures proposées.',
  params: IdParams,
  body: CouvertureChoisie,
  response: Livre,
});

export const choisirAutreCouvertureSouhait = endpoint({
  method: 'PUT',
  path: '/api/souhaits/:id/autres-couvertures',
  record: { collection: 'souhaits' },
  modification: { operation: 'choisirCouverture', resume: 'Couverture changée' },
  summary: 'Donne à un souhait l’une des couvertures proposées.',
  params: IdParams,
  body: CouvertureChoisie,
  response: Souhait,
  personal: true,
});
