import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTextures } from '../../src/textures/textures.ts'
import type { TextureReason } from '../../src/textures/textures.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

type Files = Readonly<Record<string, string | Buffer>>

const THREE = { 'package.json': '{"dependencies":{"three":"^0.180.0"}}' }

async function write(files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), text)
  }
}

async function reason(image: string, files: Files): Promise<TextureReason | undefined> {
  await write({ [image]: '', ...files })
  return createTextures(root).reasonFor(path.join(root, image), true)
}

/** A binary glTF whose first chunk is this JSON. */
function glb(json: object): Buffer {
  const text = Buffer.from(JSON.stringify(json))
  const header = Buffer.alloc(20)
  header.write('glTF')
  header.writeUInt32LE(2, 4)
  header.writeUInt32LE(text.length, 12)
  header.write('JSON', 16)
  return Buffer.concat([header, text, Buffer.from('\0BIN /wrong.png')])
}

describe('a copied PNG', () => {
  it.each<[string, string, Files]>([
    ['a picture of which nothing says otherwise', 'public/photo.png', {}],
    ['what a page shows, whatever its name', 'public/wall-normal.png', { 'index.html': '<img src="/wall-normal.png?v=2">' }],
    ['what a page shows under a base', 'public/img/ao.png', { ...THREE, 'index.html': '<img srcset="/app/img/ao.png 1x, /app/b.png 2x">' }],
    ['what a stylesheet shows', 'public/mask.png', { 'src/main.scss': '.a { mask: url("/mask.png") }' }],
    ['what JSX shows', 'public/logo.png', { ...THREE, 'src/App.tsx': 'export const a = <img alt="" src="/logo.png" />' }],
    ['what JSX shows by a template', 'public/shots/b.png', { ...THREE, 'src/App.jsx': 'const a = <img src={`${base}/shots/${name}.png`} />' }],
    ['what a template of Vue puts together', 'public/shots/b.png', { ...THREE, 'src/A.vue': `<template><img :src="'/shots/' + name + '.png'"></template>` }],
    ['what Svelte shows', 'public/shots/b.png', { ...THREE, 'src/A.svelte': '<img src="{base}/shots/{name}.png">' }],
    ['what JSX shows by the name of its import', 'public/a.png', { ...THREE, 'src/A.jsx': `import a from "/a.png"\nexport const A = () => <img src={a} />` }],
    ['what JSX shows by a name that another file exports', 'public/a.png', { ...THREE, 'src/images.js': `import a from '/a.png'\n\nexport const aImage = a;`, 'src/A.jsx': `import { x, aImage } from './images'\nconst A = () => <img\n  src={ aImage } />` }],
    ['what Vue shows by the name of its import', 'public/a.png', { ...THREE, 'src/A.vue': `<script setup>import a from '/a.png'</script><template><img :src="a"></template>` }],
    ['what Markdown shows', 'public/shots/b.png', { ...THREE, 'posts/a.md': '---\ncover: /shots/c.png\n---\n![b](/shots/b.png)' }],
    ['what the head of a post names', 'public/shots/c.png', { ...THREE, 'posts/a.md': '---\ncover: /shots/c.png\n---\n![b](/shots/b.png)' }],
    ['what a component of styles shows', 'public/hero.png', { ...THREE, 'src/a.ts': 'const Hero = css`background: url(/hero.png)`' }],
    ["an icon of a web app's manifest", 'public/icon-512.png', { ...THREE, 'public/manifest.json': '{"name":"A","icons":[{"src":"icon-512.png"}]}' }],
    ['what browsers ask for by name', 'public/apple-touch-icon.png', THREE],
    ['what the icons of an app are named like', 'public/icons/icon-192x192.png', THREE],
    ['what data of the content names', 'public/a.png', { 'public/products.json': '[{"image":"/a.png"}]' }],
    ['what a script loads into a page', 'public/a.png', { 'src/a.js': 'const image = new Image(); image.src = "/a.png"' }],
    ['what a maskable icon is named like', 'public/icon-maskable.png', {}],
    ['what lies in another folder than the model', 'public/photo.png', { 'public/models/a.glb': glb({ images: [] }) }],
  ])('is a picture: %s', async (_, image, files) => {
    expect(await reason(image, files)).toBeUndefined()
  }) // prettier-ignore

  it.each<[TextureReason, string, string, Files]>([
    ['model', 'a glTF', 'public/tex/wall 1.png', { 'public/models/a.gltf': '{"images":[{"uri":"../tex/wall%201.png"}]}' }],
    ['model', 'a glTF with megabytes of vertices in it', 'public/tex/wall.png', { 'public/models/a.gltf': `{"images":[{"uri":"../tex/wall.png"}],"buffers":[{"uri":"data:;base64,${'QUJD'.repeat(1_000_000)}"}]}` }],
    ['model', 'a binary glTF', 'public/models/tex/wall.png', { 'public/models/a.glb': glb({ images: [{ uri: 'tex/wall.png' }] }) }],
    ['model', 'the material of an OBJ', 'public/models/maps/wall.png', { 'public/models/a.mtl': 'newmtl a\nmap_Kd -s 1 1 1 maps\\wall.png\n' }],
    ['model', 'an FBX with the paths of another machine', 'public/models/maps/wall.png', { 'public/models/fbx/a.fbx': '\0\0C:\\Users\\an artist\\maps\\wall.png\0' }],
    ['shader', 'a shader', 'public/noise7.png', { 'src/a.frag': '#iChannel0 "file:///noise7.png"' }],
    ['sheet', 'a sheet of sprites', 'public/hero.png', { 'public/hero.data.json': '{"frames":{},"meta":{"image":"hero.png"}}' }],
    ['sheet', 'a sheet beside it with its name', 'public/icons@2x.png', { 'public/icons@2x.json': '{"bus":{"x":0,"y":0,"width":9,"height":9,"pixelRatio":2}}' }],
    ['sheet', 'a map of tiles', 'public/ground.png', { 'public/level.json': '{"tilesets":[{"image":"ground.png"}]}' }],
    ['sheet', 'a material in JSON', 'public/a.png', { 'public/materials.json': '{"wall":{"normalMap":"/a.png"}}' }],
    ['sheet', 'a description of Spine', 'public/boy.png', { 'public/boy-pro.atlas': 'boy.png\nsize: 1,1\n' }],
    ['loader', 'a loader of three.js', 'public/earth.png', { 'src/a.js': "const t = new THREE.TextureLoader().load('/earth.png', (t) => t)" }],
    ['loader', 'a hook', 'public/earth.png', { 'src/a.jsx': "const [t] = useTexture<Maps>({ map: '/earth.png' })" }],
    ['loader', 'a game', 'public/hero.png', { 'src/a.ts': "this.load.image('hero', 'hero.png')" }],
    ['loader', 'a hook', 'public/earth.png', { 'src/a.jsx': `import earth from '/earth.png'\nconst [t] = useTexture('/earth.png'), a = <img src={x} />` }],
    ['library', 'a name that a loader gets as well', 'public/earth.png', { ...THREE, 'src/a.jsx': `import earth from '/earth.png'\nconst [t] = useTexture([earth]), a = <img src={earth} />` }],
    ['library', 'a name that only means another image elsewhere', 'public/a.png', { ...THREE, 'src/a.js': `import a from '/a.png'\nexport const b = a\n`, 'src/b.jsx': `import b from './b.svg'\nconst c = <img src={b} />` }],
    ['loader', 'the script of a page', 'public/hero.png', { 'index.html': "<script>loader.load('hero.png')</script>" }],
    ['beside', 'a model', 'public/models/photo.png', { 'public/models/a.glb': glb({}) }],
    ['name', 'nothing but its name', 'public/tiles/dungeon-tileset.png', {}],
    ['name', 'nothing but its name', 'public/brick_roughness_2k.png', {}],
    ['tile', 'a library for maps', 'public/terrain/3/4/2.png', { 'package.json': '{"dependencies":{"maplibre-gl":"5"}}' }],
    ['library', 'a library that draws', 'public/photo.png', THREE],
    ['library', 'a script of a page', 'public/photo.png', { 'index.html': '<script src="https://unpkg.com/three@0.180.0/build/three.min.js"></script>' }],
    ['library', 'a map of imports', 'public/photo.png', { 'index.html': '<script type="importmap">{"imports":{"three":"https://a.example/3.js"}}</script>' }],
    ['library', 'an import', 'public/photo.png', { 'src/a.ts': "import { Application } from 'pixi.js'" }],
    ['library', 'what is fetched in advance', 'public/photo.png', { ...THREE, 'index.html': '<link rel="preload" as="image" href="/photo.png">' }],
    ['library', 'an element of A-Frame', 'public/photo.png', { 'index.html': '<script src="https://aframe.io/releases/1.7.0/aframe.min.js"></script><a-assets><img src="photo.png"></a-assets><a-sky src="photo.png">' }],
    ['library', 'another image of the same name being shown', 'public/tex/a.png', { ...THREE, 'public/a.png': '', 'index.html': '<img src="/a.png">' }],
  ])('is a texture by reason of %s: %s', async (expected, _, image, files) => {
    expect(await reason(image, files)).toBe(expected)
  }) // prettier-ignore
})

describe('an image that scripts import', () => {
  it('is a texture by its name or beside a model, and nothing else', async () => {
    await write({ ...THREE, 'src/photo.png': '', 'src/face-mask.png': '', 'src/wall-normal.png': '', 'a/a.glb': '' })
    const { reasonFor } = createTextures(root)
    const at = (name: string) => reasonFor(path.join(root, name), false)
    expect([at('src/photo.png'), at('src/face-mask.png')]).toEqual([undefined, undefined])
    expect([at('src/wall-normal.png'), at('a/b.png')]).toEqual(['name', 'beside'])
  })

  it('is a picture where a page shows it', async () => {
    await write({ 'src/height.png': '', 'src/index.html': '<img src="./height.png">' })
    expect(createTextures(root).reasonFor(path.join(root, 'src/height.png'), false)).toBeUndefined()
  })
})

describe('the look through a project', () => {
  it('leaves out what builds have written, so that the next build decides the same', async () => {
    await write({ ...THREE, 'public/a.png': '', 'site/index.html': '<img src="a.png">', 'dist/index.html': '<img src="a.png">' })
    const textures = createTextures(root)
    textures.expectCopies(path.join(root, 'public'), path.join(root, 'site'))
    expect(textures.reasonFor(path.join(root, 'public/a.png'), true)).toBe('library')
  }) // prettier-ignore

  it('takes in a copied folder that lies elsewhere', async () => {
    await write({ 'app/index.html': '<img src="/mask.png">', 'shared/mask.png': '', 'shared/lut.png': '' })
    const textures = createTextures(path.join(root, 'app'))
    textures.expectCopies(path.join(root, 'shared'), path.join(root, 'app/dist'))
    expect(textures.reasonFor(path.join(root, 'shared/mask.png'), true)).toBeUndefined()
    expect(textures.reasonFor(path.join(root, 'shared/lut.png'), true)).toBe('name')
  })

  it('is done again for the next build', async () => {
    await write({ ...THREE, 'public/a.png': '' })
    const textures = createTextures(root)
    const image = path.join(root, 'public/a.png')
    expect(textures.reasonFor(image, true)).toBe('library')
    await write({ 'index.html': '<img src="/a.png">' })
    expect(textures.reasonFor(image, true)).toBe('library')
    textures.forget()
    expect(textures.reasonFor(image, true)).toBeUndefined()
  })
})
