"""Simulation: any number of games between bots, as a summary, tables or records."""

from branchline.simulation.command import simulate
from branchline.simulation.orders import Orders, check_orders
from branchline.simulation.own_files import load_statistics
from branchline.simulation.plan import Plan, SimulationError, chosen_tables, seat_bots
from branchline.simulation.players import needs

__all__ = ["Orders", "Plan", "SimulationError", "check_orders", "chosen_tables", "load_statistics", "needs", "seat_bots", "simulate"]
