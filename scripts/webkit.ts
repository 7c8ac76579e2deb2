import { Household } from '../test/e2e/support/household.ts';
import { Portal } from '../test/e2e/support/portal.ts';
import { exitOnError } from './support/exit-on-error.ts';
import { buildIfStale } from './support/build.ts';
import { WebKit } from '../test/webkit/browser.ts';
import { furnish, JOURNEYS } from '../test/webkit/journeys.ts';

/** `npm run prove -- webkit`: plays the essential journeys in the system's WebKitGTK (docs/browsers.md). */
await exitOnError(async () => {
  await buildIfStale();
  const house = new Household();
  await house.start();
  await furnish(house);
  const portal = new Portal((path) => house.url + path, 'alice', { serviceWorker: true });
  await portal.open();
  const webkit = await WebKit.start();
  let failed = 0;
  try {
    for (const [name, journey] of Object.entries(JOURNEYS))
      await journey(webkit, portal).then(
        () => console.log(`✓ ${name}`),
        (error: unknown) => {
          failed++;
          console.log(`✗ ${name}: ${String(error)}`);
        },
      );
  } finally {
    await webkit.stop();
    await portal.close();
    await house.end();
  }
  const count = Object.keys(JOURNEYS).length;
  console.log(`${String(count - failed)} passed, ${String(failed)} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
});
