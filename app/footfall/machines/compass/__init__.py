"""The compass walker: its measures, claims, gaits and event-driven engine.

Sources: S. Roncagliolo, C. Vindolet: Dynamic modeling of a compass. Humanoid Robotics, Ecole
Centrale de Nantes, 2020; A. Goswami, B. Thuilot, B. Espiau (1998) for the classic comparison.
"""
