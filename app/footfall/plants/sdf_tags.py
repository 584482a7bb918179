"""Tags of SDFormat with Drake's extensions, to suggest one for a misspelt tag that Drake refuses.

Source: http://sdformat.org/spec and Drake's "Parsing Models for Multibody Dynamics".
"""

SDF_TAGS = frozenset(
    """
    sdf world model link joint frame include name pose static placement_frame self_collide
    inertial mass inertia ixx iyy izz ixy ixz iyz gravity kinematic
    visual collision geometry box sphere cylinder capsule ellipsoid cone mesh plane polyline
    heightmap size radius length radii normal uri scale submesh
    material diffuse ambient specular emissive surface friction ode mu mu2 sensor plugin light
    parent child axis axis2 xyz limit lower upper effort velocity stiffness dynamics damping
    spring_reference spring_stiffness mimic multiplier offset reference screw_thread_pitch
    drake:joint drake:parent drake:child drake:damping drake:visual drake:capsule drake:ellipsoid
    drake:proximity_properties drake:mu_dynamic drake:mu_static drake:point_contact_stiffness
    drake:hunt_crossley_dissipation drake:relaxation_time drake:rigid_hydroelastic
    drake:compliant_hydroelastic drake:hydroelastic_modulus drake:hydroelastic_margin
    drake:mesh_resolution_hint drake:collision_filter_group drake:member drake:member_group
    drake:ignored_collision_filter_group drake:ball_constraint drake:ball_constraint_body_A
    drake:ball_constraint_body_B drake:ball_constraint_p_AP drake:ball_constraint_p_BQ
    drake:linear_bushing_rpy drake:linear_spring_damper drake:tendon_constraint drake:mimic
    drake:rotor_inertia drake:gear_ratio drake:controller_gains drake:acceleration
    drake:declare_convex drake:diffuse_map drake:illustration_properties
    drake:perception_properties drake:accepting_renderer drake:deformable_properties
    """.split()  # noqa: SIM905
)
