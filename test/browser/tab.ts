import * as operations from '../../src/lib/records/livres/kind.svelte.ts';
import { livresView } from '$lib/records/livres/view.svelte';
import { answers } from '$lib/sync/answers.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { reportedErrors } from '$lib/sync/report';
import { device } from '$lib/sync/this-device';
import { views } from '$lib/sync/views.svelte';

/** The application without its screens, as one tab of the browser runs it. */
const application = {
  ...operations,
  answers,
  connection,
  device,
  livresView,
  reportedErrors,
  views,
};

declare global {
  interface Window {
    application?: typeof application;
  }
}

window.application = application;
connection.start();
