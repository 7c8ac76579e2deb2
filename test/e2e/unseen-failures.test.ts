import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

test('failures that no screen shows are listed in « Diagnostic »', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  // Without a service worker its registration would be reported as an error.
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open('/a-propos/diagnostic');
  await page.getByText('Aucune erreur sur cet appareil.').waitFor();
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('thrown by a press');
    });
    void Promise.reject(new Error('nobody waited'));
  });
  await page.getByText('Aucune erreur').waitFor({ state: 'hidden' });
  await page.getByText(/erreurs/).click();
  await page.getByText('thrown by a press').waitFor();
  await page.getByText('nobody waited').waitFor();
  // The errors that the scenario has caused.
  expect(phone.faults.splice(0)).toHaveLength(2);
  await follow(page, '/');
});
