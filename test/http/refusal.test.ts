import { expect, test } from 'vitest';
import { Refusal } from '#shared/refusals';

test('a refusal that tells more, or has another status, leaves the first one as it was', () => {
  const refusal = new Refusal('DEJA_PRETE', { emprunteur: 'Luc' });
  const more = refusal.with({ status: 410, details: { livreId: 7 } });
  expect(more.details).toEqual({ emprunteur: 'Luc', livreId: 7 });
  expect(more.message).toBe(refusal.message);
  expect(refusal.message).toBe('Ce livre est déjà prêté à Luc.');
  expect([more.code, more.status]).toEqual(['DEJA_PRETE', 410]);
  expect(refusal.details).toEqual({ emprunteur: 'Luc' });
  expect(refusal.status).toBe(409);
});
