import { createRawSnippet, mount, unmount } from 'svelte';
import { expect, onTestFinished, test } from 'vitest';
import CoverWall from '$lib/ui/CoverWall.svelte';
import '../../src/styles/base.css';

const COVER = '<div class="tile-picture"><div style="aspect-ratio: 2 / 3"></div></div>';

/** A wall of covers in a box of this width. */
function wall(width: number, count: number): HTMLElement {
  const target = document.createElement('div');
  target.style.width = `${width}px`;
  document.body.append(target);
  const tile = createRawSnippet(() => ({
    render: () => `<div class="tile wall-tile">${COVER}<div class="wall-line"></div></div>`,
  }));
  const items = Array.from({ length: count }, (_, index) => ({ index }));
  const shown = mount(CoverWall, { target, props: { label: 'Mur', items, tile } });
  onTestFinished(async () => {
    await unmount(shown);
    target.remove();
  });
  return target;
}

const box = (target: HTMLElement, selector: string): DOMRect =>
  target.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();

test.each([
  [320, '16px'],
  [1_000, '16px'],
  [320, '12px'],
])('a cover and its line fill a tile: %d, %s', async (width, listRem) => {
  const { style } = document.documentElement;
  style.setProperty('--list-rem', listRem);
  onTestFinished(() => void style.removeProperty('--list-rem'));
  const target = wall(width, 3);
  await expect.poll(() => box(target, '.wall-line').height).toBeGreaterThan(0);
  const [tile, cover, line] = [
    box(target, '.wall-tile'),
    box(target, '.tile-picture'),
    box(target, '.wall-line'),
  ];
  expect(cover.top).toBeCloseTo(tile.top, 1);
  expect(line.bottom).toBeCloseTo(tile.bottom - Number.parseFloat(listRem), 1);
  expect(cover.height).toBeCloseTo(1.5 * cover.width, 1);
});

test('a hidden wall is shown again at its scroll position', async () => {
  const { style } = document.body;
  style.minHeight = '9000px';
  onTestFinished(() => void style.removeProperty('min-height'));
  const target = wall(320, 300);
  await expect.poll(() => box(target, '.wall-tile').height).toBeGreaterThan(0);
  scrollTo(0, 4_000);
  await expect.poll(() => scrollY).toBe(4_000);
  target.style.display = 'none';
  await expect.poll(() => target.querySelector('.wall-tile')).toBeNull();
  target.style.display = '';
  await expect.poll(() => target.querySelector('.wall-tile')).not.toBeNull();
});
