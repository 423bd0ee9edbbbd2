/** Two layers with every kind of composition arc, in usda. */

export const MAIN = `#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 1
    upAxis = "Z"
    subLayers = [@./base.usdc@]
)

def Xform "World"
{
    def Xform "One" (
        references = @./base.usdc@
    )
    {
        double3 xformOp:translate = (1, 2, 3)
        token[] xformOpOrder = ["xformOp:translate"]
    }

    def Xform "Two" (
        payload = @./base.usdc@
    )
    {
    }

    def Xform "Three" (
        references = </Shapes/Ball>
        inherits = </Heavy>
    )
    {
        rel physics:filteredPairs = [</World/One>, </World/Two>]
    }

    def Xform "Four" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI"]
        specializes = </Heavy>
        variants = {
            string shape = "ball"
        }
        variantSets = "shape"
    )
    {
        variantSet "shape" = {
            "ball" (
            ) {
                double three = 3

                def Sphere "Seen" (
                    prepend apiSchemas = ["PhysicsCollisionAPI"]
                )
                {
                    double radius = 0.25
                }
            }
            "box" (
            ) {
                def Cube "Seen"
                {
                    double size = 0.5
                }
            }
        }
    }
}

class "Heavy"
{
    float physics:mass = 7
}

def Xform "Shapes"
{
    def Sphere "Ball" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsCollisionAPI"]
    )
    {
        double radius = 0.5
    }
}
`

export const BASE = `#usda 1.0
(
    defaultPrim = "Part"
    metersPerUnit = 1
    upAxis = "Z"
)

def Cube "Part" (
    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]
)
{
    double size = 0.3
}

over "World"
{
    over "Four"
    {
        double3 xformOp:translate = (0, 0, 5)
        token[] xformOpOrder = ["xformOp:translate"]
    }
}
`
