/**
 * The contents of a USD layer, independent of the encoding: a tree of prims, each with metadata, attributes and relationships. Values have the form
 * of usda: a tuple or list is an array, a quaternion is (w, x, y, z).
 */

/** `</a/b.c>`: target of a relationship or a reference. */
export class UsdPath {
  constructor(readonly path: string) {}
}

/** `@file@</prim>`: another layer, and optionally a prim in it. */
export class UsdAsset {
  constructor(readonly file: string, readonly prim: string | null = null) {}
}

export type UsdDictionary = ReadonlyMap<string, UsdValue>
export type UsdValue = number | boolean | string | null | UsdPath | UsdAsset | readonly UsdValue[] | UsdDictionary

export interface UsdAttribute {
  /** As in the file: `float`, `point3f[]`. */
  readonly type: string
  /** Undefined if declared without a value. */
  readonly value: UsdValue | undefined
  /** Value by time code. */
  readonly samples: readonly (readonly [number, UsdValue])[]
}

export interface UsdPrim {
  readonly specifier: 'def' | 'over' | 'class'
  /** Schema: `Xform`, `PhysicsRevoluteJoint`; empty if none is stated. */
  readonly type: string
  readonly name: string
  /** From the root of the stage: `/World/Box`. */
  readonly path: string
  readonly metadata: ReadonlyMap<string, UsdValue>
  readonly attributes: ReadonlyMap<string, UsdAttribute>
  /** Targets of relationships, and the attributes that supply the value of a connected one: `/Materials/Wood/Picture.outputs:rgb`. */
  readonly relationships: ReadonlyMap<string, readonly string[]>
  readonly children: readonly UsdPrim[]
  /** Contents of each choice of a variant set, by the names of the set and the choice. */
  readonly variants: ReadonlyMap<string, ReadonlyMap<string, UsdPrim>>
}

export interface UsdLayer {
  readonly metadata: ReadonlyMap<string, UsdValue>
  readonly prims: readonly UsdPrim[]
}

/** Limits on a file: prims of one stage, their depth, and nesting of values. */
export const MAX_PRIMS = 200_000
export const MAX_DEPTH = 128

/** Names of the API schemas applied to a prim: `PhysicsRigidBodyAPI`, `PhysicsDriveAPI:angular`. */
export function apiSchemas(prim: UsdPrim): readonly string[] {
  const value = prim.metadata.get('apiSchemas')
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

export function valueOf(prim: UsdPrim, name: string): UsdValue | undefined {
  return prim.attributes.get(name)?.value
}

/** A finite or infinite number, or the fallback. */
export function numberOf(prim: UsdPrim, name: string, fallback: number): number {
  const value = valueOf(prim, name)
  return typeof value === 'number' && !Number.isNaN(value) ? value : fallback
}

export function booleanOf(prim: UsdPrim, name: string, fallback: boolean): boolean {
  const value = valueOf(prim, name)
  return typeof value === 'boolean' ? value : typeof value === 'number' ? value !== 0 : fallback
}

export function stringOf(prim: UsdPrim, name: string, fallback: string): string {
  const value = valueOf(prim, name)
  return typeof value === 'string' ? value : fallback
}

/** A tuple of `count` numbers, or null. */
export function tupleOf(value: UsdValue | undefined, count: number): readonly number[] | null {
  return Array.isArray(value) && value.length === count && value.every(item => typeof item === 'number') ? value as readonly number[] : null
}

/** Every prim of a tree, parents first. */
export function* walk(prims: readonly UsdPrim[]): Generator<UsdPrim> {
  for (const prim of prims) {
    yield prim
    yield* walk(prim.children)
  }
}
