//! `DijkstraMap::clear` of bracket-pathfinding.
