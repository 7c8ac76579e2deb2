import { expect, test } from 'vitest';
import { livreRow } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

test('a service that answers counts more than the browser’s word', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  await phone.context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }),
  );
  const page = await phone.open();
  await livreRow(page, 'Désert').getByRole('link').click();
  const status = page.getByRole('group', { name: 'Ma lecture' });
  const choose = async (name: string) => {
    const radio = status.getByRole('radio', { name, exact: true });
    await expect.poll(() => radio.isEnabled()).toBe(true);
    await radio.check({ force: true });
  };
  const statut = async () => {
    const headers = { SSO_USER: 'alice' };
    const livre = await fetch(`${house.url}/api/livres/${id}`, { headers });
    return ((await livre.json()) as { statut: number | null }).statut;
  };
  await choose('En cours');
  await expect.poll(statut).toBe(1);

  await page.evaluate(() => dispatchEvent(new Event('offline')));
  await choose('Lu');
  await expect.poll(statut).toBe(2);

  // The page finds the server again, although no `online` event reports it.
  phone.portal.state = 'gone';
  phone.portal.cut();
  await page
    .getByText(/Hors ligne/)
    .first()
    .waitFor();
  phone.portal.state = 'open';
  await choose('À lire');
  await expect.poll(statut).toBe(0);
});
